import fc from 'fast-check';
import { stepTimesOf } from '../../../test/builders/step-times';
import { distributionOf } from './step-distribution';

const MS = 1e6;
/** Two steps of warm-up, then `count` steps of 10 ms of which those that `isSlow` names take 50 ms. */
const series = (count: number, isSlow: (step: number) => boolean) =>
  stepTimesOf([
    ...[99 * MS, 99 * MS],
    ...Array.from({ length: count }, (_, i) => (isSlow(i + 2) ? 50 * MS : 10 * MS)),
  ]);

test('spikes that come evenly have a period and a cost', () => {
  const found = distributionOf(series(40, (step) => step % 5 === 4));
  expect(found).toMatchObject({ stepCount: 40, medianNs: 10 * MS, maxNs: 50 * MS, isOfSingleSteps: true });
  expect(found?.spikes).toEqual({
    ...{ count: 8, meanExtraNs: 40 * MS, extraPerStepNs: 8 * MS },
    periodSteps: 5,
  });
  expect(found?.lostRatio).toBeCloseTo(1 - 10 / 18, 6);
});

test('one spike that was missed leaves the period', () => {
  expect(distributionOf(series(60, (step) => step % 6 === 0 && step !== 24))?.spikes?.periodSteps).toBe(6);
});

test.each([
  ['by chance', [3, 4, 11, 17, 18, 30]],
  ['twice only', [10, 20]],
  ['one after the other', [10, 11, 12, 13, 14]],
])('spikes %s have no period', (_, slow) => {
  expect(distributionOf(series(40, (step) => slow.includes(step)))?.spikes?.periodSteps).toBeNull();
});

test('even steps have no spikes; no step after the warm-up is no distribution', () => {
  expect(distributionOf(series(20, () => false))).toMatchObject({ spikes: null, lostRatio: 0 });
  expect(distributionOf(series(0, () => false))).toBeNull();
});

test('means over several steps are no single steps', () => {
  const means = series(20, (step) => step % 5 === 0);
  means.stepsAveraged.fill(10);
  expect(distributionOf(means)).toMatchObject({ isOfSingleSteps: false, spikes: null });
  // Ten steps of 10 ms and one entry that stands for thirty of 50 ms.
  const uneven = stepTimesOf([99 * MS, 99 * MS, ...Array.from({ length: 10 }, () => 10 * MS), 50 * MS]);
  uneven.stepsAveraged[12] = 30;
  expect(distributionOf(uneven)?.meanNs).toBe(40 * MS);
});

test('any times: quantiles are in order, what spikes cost is not more than there is', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1e12 }), { minLength: 3, maxLength: 80 }), (times) => {
      const found = distributionOf(stepTimesOf(times));
      if (!found) throw new Error('no distribution');
      const { minNs, p10Ns, medianNs, p90Ns, p99Ns, maxNs, meanNs, spikes } = found;
      const quantiles = [minNs, p10Ns, medianNs, p90Ns, p99Ns, maxNs];
      expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b));
      expect(spikes?.extraPerStepNs ?? 0).toBeLessThanOrEqual(meanNs);
    }),
    { seed: 3 },
  );
});

describe('steps that are timed by the host and on the device', () => {
  /** The host launches ahead, and waits in every fourth step. */
  const ahead = (deviceMs: (i: number) => number) => {
    const series = stepTimesOf(Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? 90 : 10) * MS));
    series.deviceNs = series.hostNs.map((_, i) => deviceMs(i) * MS);
    return distributionOf(series);
  };

  test('go by the device, which a host that runs ahead does not hurry', () => {
    expect(ahead(() => 30)).toMatchObject({ medianNs: 30 * MS, spikes: null });
  });

  test.each<[string, (i: number) => number]>([
    ['enclose only a part of the step', () => 8],
    ['are there for few steps', (i) => (i % 10 === 0 ? 30 : NaN)],
  ])('go by the host where events %s', (_, deviceMs) => {
    expect(ahead(deviceMs)?.medianNs).toBe(10 * MS);
  });
});

test('one mean over many steps is kept, as a start-up that it holds is small', () => {
  const summary = stepTimesOf([120 * MS]);
  summary.stepsAveraged[0] = 30_000;
  expect(distributionOf(summary)).toMatchObject({ medianNs: 120 * MS, isOfSingleSteps: false });
});
