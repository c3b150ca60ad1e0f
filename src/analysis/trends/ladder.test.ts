import { type Finding } from '../report-schema';
import { buildLadder } from './ladder';
import { type RungInput } from './rung-input';

const METRICS = { mean: 'unprofiled-mean-step-time', median: 'unprofiled-step-time', traced: 'step-time' };
const finding = (rule: string) => ({ rule }) as Finding;

/** A rung whose run has these step times, ms. */
function rung(
  times: Partial<Record<keyof typeof METRICS, number>>,
  configuration: Record<string, string> = {},
  found: Finding | null = null,
): RungInput {
  const metrics = Object.entries(times).map(([name, ms]) => {
    const id = METRICS[name as keyof typeof METRICS];
    return { id, value: ms * 1e6, unit: 'ns' as const, source: 'measured' as const };
  });
  const verdict = { bottleneck: 'none' as const, confidence: 'high' as const };
  return { label: 'x', report: { metrics, verdict, utilisation: [], finding: found }, configuration };
}
const means = (...ms: number[]) => buildLadder(ms.map((mean) => rung({ mean })));

describe('buildLadder', () => {
  it('compares each rung with the one before and with the baseline', () => {
    const { rungs, speedup } = means(1406, 320, 322, 322.5, 400, 116);
    expect(rungs.map(({ verdict }) => verdict)).toEqual([
      ...['baseline', 'keep', 'within-noise', 'within-noise', 'revert', 'keep'],
    ]);
    expect(rungs[5].speedup).toBeCloseTo(400 / 116);
    expect(rungs[5].cumulativeSpeedup).toBeCloseTo(1406 / 116);
    expect(speedup).toBe(rungs[5].cumulativeSpeedup);
  });

  it('calls a change to and fro by the same share the same', () => {
    expect(
      means(100, 100.9, 100)
        .rungs.map(({ verdict }) => verdict)
        .slice(1),
    ).toEqual(['within-noise', 'within-noise']);
    expect(
      means(100, 101.5, 100)
        .rungs.map(({ verdict }) => verdict)
        .slice(1),
    ).toEqual(['revert', 'keep']);
  });

  it('takes the best clock that both rungs have, and says which a rung has', () => {
    const { rungs } = buildLadder([
      rung({ mean: 100, traced: 200 }),
      rung({ traced: 100 }),
      rung({ median: 90 }),
    ]);
    expect(rungs.map(({ step }) => step?.clock)).toEqual([
      'unprofiled-mean',
      'profiled',
      'unprofiled-median',
    ]);
    expect(rungs[1]).toMatchObject({ speedup: 2, verdict: 'keep' });
    expect(rungs[2]).toMatchObject({ speedup: null, verdict: 'not-comparable', reason: 'different-clocks' });
  });

  it('counts work, not steps, when the tokens of a step change', () => {
    const { rungs } = buildLadder([
      rung({ mean: 100 }, { tokens_per_step: '1000' }),
      rung({ mean: 150 }, { tokens_per_step: '2000' }),
    ]);
    expect(rungs[1].speedup).toBeCloseTo(4 / 3);
    expect(rungs[1].severalChanges).toBe(false);
  });

  it('goes on past rungs that say nothing, and says why they do not', () => {
    const gone: RungInput = { label: 'gone', report: 'run-deleted', configuration: {} };
    const { rungs } = buildLadder([rung({ mean: 100 }), gone, rung({}), rung({ mean: 50 })]);
    expect(rungs.map(({ verdict, reason, comparedWith }) => [verdict, reason, comparedWith])).toEqual([
      ['baseline', null, null],
      ['not-comparable', 'run-deleted', 0],
      ['not-comparable', 'no-step-time', 0],
      ['keep', null, 0],
    ]);
    expect(buildLadder([gone, rung({ mean: 50 })]).rungs).toMatchObject([
      { verdict: 'not-comparable', reason: 'run-deleted' },
      { verdict: 'not-comparable', reason: 'run-deleted', cumulativeSpeedup: null },
    ]);
  });

  it('does not compare other hardware', () => {
    const { rungs } = buildLadder([
      rung({ mean: 100 }, { gpu: 'H100' }),
      rung({ mean: 50 }, { gpu: 'H200' }),
    ]);
    expect(rungs[1]).toMatchObject({ verdict: 'not-comparable', reason: 'different-gpu' });
  });

  it('warns when two things changed at once, and takes the parts of one thing for one', () => {
    const base = { dtype: 'bf16', 'loader.num_workers': '1', 'loader.pin_memory': 'false', mean_step_s: '1' };
    const { rungs } = buildLadder([
      rung({ mean: 100 }, base),
      rung(
        { mean: 50 },
        { ...base, 'loader.num_workers': '12', 'loader.pin_memory': 'true', mean_step_s: '2' },
      ),
      rung({ mean: 40 }, { ...base, dtype: 'fp8', compile: 'default' }),
      rung({ mean: 40 }, { ...base, dtype: 'fp8', compile: 'default', torch: '2.12', cuda: '13.1' }),
    ]);
    expect(rungs.map(({ severalChanges }) => severalChanges)).toEqual([false, false, true, false]);
    expect(rungs[1].changes.map(({ name }) => name)).toEqual(['loader.num_workers', 'loader.pin_memory']);
  });

  it('recommends what the last report names first', () => {
    const found = [rung({ mean: 2 }, {}, finding('a')), rung({ mean: 1 }, {}, finding('b'))];
    const gone: RungInput = { label: 'gone', report: 'not-analysed', configuration: {} };
    expect(buildLadder([...found, gone]).next).toEqual({ rung: 1, finding: { rule: 'b' } });
    expect(means(2, 1).next).toEqual({ rung: 1, finding: null });
    expect(buildLadder([gone]).next).toBeNull();
    expect(buildLadder([])).toEqual({ rungs: [], speedup: null, next: null });
  });
});
