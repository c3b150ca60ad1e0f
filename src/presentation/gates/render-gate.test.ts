import { evaluateGate, gatePolicySchema, type GateEvidence } from '../../analysis';
import { elementsOf, parseXml } from '../../../test/harness/parse-xml';
import { type GateEvaluation, gateEvaluationSchema } from './gate-evaluation';
import { presentGate } from './present-gate';
import { renderGateJunit } from './render-gate-junit';
import { renderGateMarkdown } from './render-gate-markdown';
import { renderGateText } from './render-gate-text';

const RUN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const HOSTILE = `<b>"&'|]]>\u0000\u001b[31m\ud800\uffff\`*_[x](http://y)@all #1\n- [ ] done`;

function evaluate(values: number[], notMeasured: string | null, word = 'm'): GateEvaluation {
  const content = gatePolicySchema.parse({
    version: 1,
    baseline: { kind: 'branch', branch: 'main' },
    rules: [
      { metric: 'step-time', maxWorseRatio: 0.03 },
      { metric: 'mfu', min: 0.4, whenInconclusive: 'pass' },
      { metric: 'input-wait', max: 1, scope: { models: ['other'] } },
    ],
  });
  const baseline = [0, 1, 2, 3, 4, 5].map((i) => ({
    ...{ value: 100e6 + i * 1e5, commit: `c${i}`, runId: RUN_ID, at: `2026-06-0${i + 1}T00:00:00.000Z` },
  }));
  const none: GateEvidence = {
    direction: 'higher-is-better',
    values: [],
    notMeasured,
    baseline: [],
    fault: null,
  };
  const evidence: GateEvidence[] = [{ ...none, direction: 'lower-is-better', values, baseline }, none, none];
  const result = evaluateGate(content, { model: 'm', cluster: 'c', workload: '', failure: null }, evidence);
  return presentGate(result, {
    policy: { name: 'pr', revision: 3, content },
    run: {
      id: RUN_ID,
      model: word,
      cluster: word,
      workload: null,
      branch: word,
      commit: word,
      at: '2026-06-09T00:00:00.000Z',
    },
    links: { run: `/v1/runs/${RUN_ID}`, report: `/v1/runs/${RUN_ID}/report`, series: null },
  });
}

const failed = evaluate([110e6], 'no shapes');

it('an evaluation is as its schema says', () => {
  expect(gateEvaluationSchema.parse(failed)).toEqual(failed);
  expect(failed.reasons).toEqual([
    'Step time: 110 ms is 9.7 % worse than its baseline; 3.0 % is allowed.',
    'MFU: not measurable: no shapes (inconclusive, which this policy takes for pass).',
  ]);
});

it('text says what holds, with figures, for a person', () => {
  expect(renderGateText(failed)).toMatch(
    /^Gate: FAIL\n {2}Step time: 110 ms is 9\.7 % worse[^\n]*\n[\s\S]*baseline 100 ms \(100 ms to 101 ms; commits: 6, runs: 6; latest 20 commits of branch main\)\n {2}allowed 3\.0 % worse \(103 ms\)\n[\s\S]*INCONCLUSIVE, counts as pass {2}MFU[\s\S]*NOT FOR THIS RUN/,
  );
});

it('Markdown is a table with details folded away', () => {
  const text = renderGateMarkdown(failed);
  expect(text).toMatch(/^## Stallscope gate: ❌ fail\n/);
  expect(text).toContain('| Step time | ❌ fail | 110 ms | 100 ms | +9.7 % | 3.0 % worse (103 ms) |');
  expect(text).toContain(`[report](/v1/runs/${RUN_ID}/report) · policy pr (revision 3)`);
  expect(text.indexOf('<details>')).toBeGreaterThan(text.indexOf('| Step time'));
});

it('JUnit has a test case for each rule', () => {
  const root = parseXml(renderGateJunit(failed));
  const [suite] = elementsOf(root, 'testsuite');
  expect(suite.attributes).toMatchObject({
    name: 'stallscope gate: pr (revision 3)',
    tests: '3',
    failures: '1',
    skipped: '1',
  });
  const cases = elementsOf(root, 'testcase').map(({ attributes, children }) => [
    attributes.name,
    children[0].tag,
  ]);
  expect(cases).toEqual([
    ['1. step-time', 'failure'],
    ['2. mfu', 'system-out'],
    ['3. input-wait', 'skipped'],
  ]);
});

it('JUnit of a gate without a judged rule still has its answer', () => {
  const root = parseXml(
    renderGateJunit({ ...failed, outcome: 'inconclusive', rules: [], reasons: ['Not yet.'] }),
  );
  expect(elementsOf(root, 'testcase')).toMatchObject([{ attributes: { name: 'gate' } }]);
  expect(elementsOf(root, 'skipped')).toMatchObject([{ attributes: { message: 'Not yet.' } }]);
});

describe('hostile words of a run', () => {
  const hostile = evaluate([110e6], HOSTILE, HOSTILE);

  it('stay text in JUnit', () => {
    const root = parseXml(renderGateJunit(hostile));
    const model = elementsOf(root, 'property').find(({ attributes }) => attributes.name === 'model');
    expect(model?.attributes.value).toContain(`<b>"&'|]]>\ufffd\ufffd[31m\ufffd\ufffd`);
    expect(elementsOf(root, 'b')).toEqual([]);
  });

  it('make no markup, table cell, task or mention in Markdown', () => {
    const text = renderGateMarkdown(hostile);
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/<b>|\[x\]\(|http:\/\/|@all|[\u0000-\u0009\u001b]/);
    expect(text.split('\n').filter((line) => line.startsWith('- [ ]'))).toEqual([]);
  });

  it('steer no terminal', () => {
    // eslint-disable-next-line no-control-regex
    expect(renderGateText(hostile)).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
