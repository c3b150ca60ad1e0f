import { type Analysis } from '../src/analysis';
import { countSteps, toStorable } from './storable-analysis';

const idle = {
  inputWaitNs: 1,
  syncWaitNs: 0,
  allocatorNs: 0,
  launchGapNs: 0,
  hostOtherNs: 0,
  dependencyNs: 0,
  unexplainedNs: 0,
};
const step = (index: number) => ({
  index,
  startNs: 0,
  wallNs: 4,
  computeNs: 1,
  exposedCommunicationNs: 1,
  exposedMemcpyNs: 1,
  idleNs: 1,
  idle,
  deviceOpCount: 1,
  excluded: null,
});

function analysis(overrides: Partial<Analysis> = {}): Analysis {
  return {
    schemaVersion: '1.0.0',
    analysisVersion: '9.9.9',
    verdict: { bottleneck: 'none', confidence: 'high' },
    artifacts: [],
    stepTime: { tracedMeanNs: 4, unprofiledMedianNs: null, calibratedMeanNs: null },
    ranks: [],
    metrics: [{ id: 'mean-step', value: 4, unit: 'ns', source: 'measured' }],
    findings: [],
    ruleOutcomes: [],
    kernelClasses: [],
    topKernels: [],
    communication: null,
    problems: [],
    ...overrides,
  } as Analysis;
}
const rank = (number: number, ...indexes: number[]): Analysis['ranks'][number] => ({
  rank: number,
  path: 'p',
  device: null,
  stepsFrom: 'markers',
  steps: indexes.map(step),
});
const stepKeys = (a: Analysis) =>
  (JSON.parse(toStorable(a).stepsJson) as { rank: number; stepIndex: number }[]).map((r) => [
    r.rank,
    r.stepIndex,
  ]);

describe('a storable analysis', () => {
  it('keeps the report as it is, and its verdict apart', () => {
    const stored = toStorable(analysis());
    expect(JSON.parse(stored.reportJson)).toEqual(analysis());
    expect(stored).toMatchObject({ analysisVersion: '9.9.9', bottleneck: 'none', confidence: 'high' });
    expect(stored.summary).not.toBe('');
  });

  it('numbers steps as the trace does, or in their order where that gives no keys', () => {
    const ranks = [rank(0, 17, 18), rank(1, 3, 3, 4), rank(2, 5, 2 ** 40)];
    expect(stepKeys(analysis({ ranks }))).toEqual([
      [0, 17],
      [0, 18],
      [1, 0],
      [1, 1],
      [1, 2],
      [2, 0],
      [2, 1],
    ]);
    expect(countSteps(analysis({ ranks }))).toBe(7);
  });

  it('replaces what Postgres cannot hold, and nothing else', () => {
    const name = 'a\u0000b\ud800c😀\\u0000"';
    const stored = toStorable(
      analysis({ topKernels: [{ name, kind: 'kernel', count: 1, totalNs: 1, rank: null }] }),
    );
    const [kernel] = (JSON.parse(stored.reportJson) as Analysis).topKernels;
    expect(kernel.name).toBe('a\ufffdb\ufffdc😀\\u0000"');
  });
});
