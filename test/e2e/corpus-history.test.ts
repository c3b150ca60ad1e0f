import { withCorpus } from '../corpus/corpus-folder';
import { type HistoryRun, uploadHistory } from '../harness/corpus-history';
import { PipelineBench, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';

/** Enough good runs for a baseline. */
const GOOD_RUNS = 8;
const BAD_RUNS = 3;

/** Recordings before and after a change for the worse, and the part of the step that the time went to. */
const REGRESSIONS = [
  { good: 'data_starved__fixed', bad: 'data_starved', part: 'inputWait', slower: 3.4 },
  { good: 'alloc_thrash__fixed', bad: 'alloc_thrash', part: 'allocator', slower: 1.87 },
  { good: 'recompute_all__fixed', bad: 'recompute_all', part: 'compute', slower: 1.21 },
];
/** A change that gained nothing. */
const NOTHING = { before: 'ladder4', after: 'ladder5' };

interface Regression {
  id: string;
  state: string;
  resolution: string | null;
  model: string;
  changeRatio: number;
  firstBad: { runId: string; commit: string };
  lastGood: { commit: string };
  explanation: {
    changeNs: number;
    clock: string;
    parts: { part: string; changeNs: number }[];
  } | null;
}

withCorpus(() => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    team = await bench.team();
    await Promise.all([bench.startWorker(), bench.startWorker()]);
  });
  afterAll(() => bench.close());

  const repeat = (recording: string, model: string, from: number, count: number): HistoryRun[] =>
    Array.from({ length: count }, (_, i) => ({ recording, model, hour: from + i }));
  const regressionOf = async (model: string): Promise<Regression> => {
    const list = await team.call<{ items: Regression[] }>('GET', `/v1/regressions?state=any&model=${model}`);
    expect(list.body.items).toHaveLength(1);
    return (await team.call<Regression>('GET', `/v1/regressions/${list.body.items[0].id}`)).body;
  };
  const verdictOf = async (runId: string, metricId = 'unprofiled-step-time') => {
    const { body } = await team.call<{ trend: { metricId: string; verdict: string }[] }>(
      'GET',
      `/v1/runs/${runId}`,
    );
    return body.trend.find((verdict) => verdict.metricId === metricId)?.verdict;
  };

  describe('recorded runs as the history of a team', () => {
    it('a ladder: 12.1 times as fast, and two rungs that bought nothing', async () => {
      const labels = [
        'fp32',
        'bf16',
        'flash attention',
        'loader',
        'compile',
        'CUDA graphs',
        'fused optimizer',
      ];
      const runs = labels.map((_, i) => ({ recording: `ladder${i}`, model: 'gpt-1b', hour: i }));
      const ids = await uploadHistory(team, runs);
      const created = await team.call<{ id: string }>('POST', '/v1/ladders', { name: 'From fp32 on' });
      const path = `/v1/ladders/${created.body.id}`;
      const rungs = ids.map((runId, i) => ({ runId, label: labels[i] }));
      expect((await team.call('PUT', `${path}/rungs`, { rungs })).status).toBe(200);
      const { body: ladder } = await team.call<{
        speedup: number;
        rungs: { verdict: string; cumulativeSpeedup: number; warning: string | null; changes: object[] }[];
        next: { finding: object | null };
      }>('GET', path);
      expect(ladder.speedup.toFixed(1)).toBe('12.1');
      expect(ladder.rungs.map(({ verdict }) => verdict)).toEqual([
        ...['baseline', 'keep', 'keep', 'within-noise', 'keep', 'within-noise', 'keep'],
      ]);
      expect(ladder.rungs.map(({ cumulativeSpeedup }) => Math.round(cumulativeSpeedup * 10) / 10)).toEqual([
        ...[1, 4.4, 9.6, 9.6, 10.8, 10.9, 12.1],
      ]);
      expect(ladder.rungs.map(({ warning }) => warning)).toEqual(labels.map(() => null));
      expect(ladder.rungs.slice(1).every(({ changes }) => changes.length > 0)).toBe(true);
      expect(ladder.next.finding).toBeNull();
    }, 120_000);

    it('faults: opened with where the time went, and resolved when they are fixed', async () => {
      const good = REGRESSIONS.map(({ good: recording }) => repeat(recording, recording, 0, GOOD_RUNS));
      await uploadHistory(team, good.flat());
      const bad = REGRESSIONS.map((pair) => repeat(pair.bad, pair.good, GOOD_RUNS, BAD_RUNS));
      const badIds = await uploadHistory(team, bad.flat());
      for (const [i, { good: model, part, slower }] of REGRESSIONS.entries()) {
        const isExplained = async () => (await regressionOf(model)).explanation !== null;
        await until(isExplained, `the regression of ${model} is explained`, 60_000);
        const { explanation, ...regression } = await regressionOf(model);
        const firstBad = badIds[i * BAD_RUNS];
        expect(regression).toMatchObject({
          ...{ state: 'open', firstBad: { runId: firstBad, commit: `c${GOOD_RUNS}` } },
          lastGood: { commit: `c${GOOD_RUNS - 1}` },
        });
        expect(Math.abs(1 + regression.changeRatio - slower)).toBeLessThan(0.2 * slower);
        expect([model, explanation?.parts[0].part]).toEqual([model, part]);
        const sum = explanation?.parts.reduce((total, { changeNs }) => total + changeNs, 0) ?? NaN;
        expect(Math.abs(sum - (explanation?.changeNs ?? NaN))).toBeLessThan(10);
        expect(await verdictOf(firstBad)).toBe('regressed');
      }
      const [{ good: fixed }] = REGRESSIONS;
      const fixedIds = await uploadHistory(team, repeat(fixed, fixed, GOOD_RUNS + BAD_RUNS, 3));
      expect(await regressionOf(fixed)).toMatchObject({ state: 'resolved', resolution: 'recovered' });
      expect(await verdictOf(fixedIds[2])).toBe('unchanged');
    }, 240_000);

    it('a fix: told as an improvement, and no regression', async () => {
      const [{ good, bad }] = REGRESSIONS;
      const model = 'was-always-starved';
      await uploadHistory(team, repeat(bad, model, 0, GOOD_RUNS));
      const [first] = await uploadHistory(team, repeat(good, model, GOOD_RUNS, 2));
      expect(await verdictOf(first)).toBe('improved');
      const { body } = await team.call<{ items: object[] }>(
        'GET',
        `/v1/regressions?state=any&model=${model}`,
      );
      expect(body.items).toEqual([]);
    }, 120_000);

    it('a change that gained nothing: neither better nor worse', async () => {
      const model = 'cuda-graphs';
      await uploadHistory(team, repeat(NOTHING.before, model, 0, GOOD_RUNS));
      const after = await uploadHistory(team, repeat(NOTHING.after, model, GOOD_RUNS, BAD_RUNS));
      for (const id of after) expect(await verdictOf(id)).toBe('unchanged');
      const { body } = await team.call<{ items: object[] }>(
        'GET',
        `/v1/regressions?state=any&model=${model}`,
      );
      expect(body.items).toEqual([]);
    }, 120_000);
  });
});
