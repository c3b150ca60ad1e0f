import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { metricsOf } from '../harness/operators';
import { PipelineBench } from '../harness/pipeline-bench';
import { readPromql } from '../harness/promql';

const ROOT = join(__dirname, '../..');
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}
interface Panel {
  id: number;
  title: string;
  type: string;
  targets?: { expr: string }[];
}

const { groups } = parse(text('infra/monitoring/stallscope.rules.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const { panels } = JSON.parse(text('infra/monitoring/dashboard.json')) as { panels: Panel[] };
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

describe('rules and dashboard', () => {
  let names: Set<string>;

  beforeAll(async () => {
    const bench = await PipelineBench.open({ METRICS_PORT: '0', WORKER_METRICS_PORT: '0' });
    try {
      const texts = [await metricsOf(bench.api), await metricsOf(await bench.startWorker())];
      names = new Set(texts.flatMap(namesIn));
    } finally {
      await bench.close();
    }
  });

  it('ask in sound PromQL for metrics that the processes have', () => {
    const asked = [...rules.map(({ record, alert, expr }) => ({ title: record ?? alert, expr })), ...queries];
    const read = readPromql(asked.map(({ expr }) => expr));
    const faults = read.flatMap(({ sound, metrics }, i) => {
      const unknown = metrics.filter((name) => !names.has(name) && !recorded.has(name));
      return sound && unknown.length === 0 && metrics.length > 0 ? [] : [[asked[i].title, sound, unknown]];
    });
    expect(faults).toEqual([]);
    expect(read.length).toBeGreaterThan(30);
  });

  it('leave out no metric of ours', () => {
    const used = new Set(
      readPromql([...rules, ...queries].map(({ expr }) => expr)).flatMap(({ metrics }) => metrics),
    );
    const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
    const shown = new Set([...used].map(base));
    const ours = [...names].filter((name) => name.startsWith('stallscope_') && base(name) === name);
    expect(ours.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('would notice a mistake', () => {
    const [broken, other] = readPromql(['sum(rate(a[5m])', 'rate(no_such_metric[5m])']);
    expect(broken.sound).toBe(false);
    expect(other).toEqual({ sound: true, metrics: ['no_such_metric'] });
  });
});

describe('alerts', () => {
  it.each(alerts.map((one) => [one.alert, one] as const))(
    '%s says what is wrong and where to read on',
    (_name, rule) => {
      expect(rule.labels?.severity).toMatch(/^(critical|warning)$/);
      expect(rule.annotations?.summary?.length).toBeGreaterThan(20);
      const page = rule.annotations?.runbook_url ?? '';
      expect(page).toMatch(/^infra\/runbooks\/[a-z-]+\.md$/);
      expect(existsSync(join(ROOT, page))).toBe(true);
      expect(text(page)).toContain(rule.alert);
    },
  );

  it('have names of their own', () => {
    const all = alerts.map(({ alert }) => alert);
    expect(new Set(all).size).toBe(all.length);
  });

  it('and runbooks name only alerts that there are', () => {
    const known = new Set(alerts.map(({ alert }) => alert));
    for (const page of readdirSync(join(ROOT, 'infra/runbooks'))) {
      for (const [name] of text(`infra/runbooks/${page}`).matchAll(/\bStallscope[A-Z]\w+/g)) {
        expect([page, name, known.has(name)]).toEqual([page, name, true]);
      }
    }
  });
});

describe('the dashboard', () => {
  it('has panels that can be told apart, each with a question', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const panel of panels.filter(({ type }) => type !== 'row')) {
      expect([panel.title, panel.targets?.length]).toEqual([panel.title, expect.any(Number)]);
    }
  });
});

/** Names that can be asked for: histograms have three. */
function namesIn(metrics: string): string[] {
  return [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, kind]) =>
    kind === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
}
