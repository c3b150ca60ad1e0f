import { stepTimesOf } from '../../../test/builders/step-times';
import fc from 'fast-check';
import { drawTimeline } from '../../../test/builders/draw-timeline';
import { ProblemLog } from '../timeline/problem';
import { attributeRank } from './attribute-rank';
import { type CalibratedStep, calibrateStep, type StepTimeSources } from './calibrated-step';

const COLUMN_NS = 10_000;

/** One step of twenty columns: loader 4, launch gaps 6, compute 10. */
const attribution = attributeRank(
  0,
  drawTimeline(`
    step    1...................
    load    llll
    op          oooooooooo
    launch          b    c
    kernel           bbbb cccccc
  `),
  new ProblemLog(),
);

/** Step times of a rank whose step lasts so many columns without the profiler. */
const times = (columns: number): StepTimeSources => ({
  metadata: [],
  stepTimes: [stepTimesOf(new Array<number>(8).fill(columns * COLUMN_NS))],
});

const total = (s: CalibratedStep): number =>
  s.computeNs +
  s.exposedTransferNs +
  s.exposedWaitNs +
  s.exposedMemcpyNs +
  Object.values(s.idle).reduce((a, b) => a + b, 0);

test('without step times, nothing is calibrated', () => {
  const step = calibrateStep(attribution, null, { stepTimes: [], metadata: [] });
  expect(step).toMatchObject({ calibrated: false, wallNs: 20 * COLUMN_NS, tracedWallNs: 20 * COLUMN_NS });
});

test('the profiler is taken out of launch gaps first, and never out of compute while the host has something to give', () => {
  const traced = calibrateStep(attribution, null, { stepTimes: [], metadata: [] });
  const step = calibrateStep(attribution, null, times(17));
  expect(step?.idle.launchGapNs).toBeCloseTo((traced?.idle.launchGapNs ?? 0) - 3 * COLUMN_NS, 0);
  expect(step?.idle.inputWaitNs).toBe(traced?.idle.inputWaitNs);
  expect(step?.computeNs).toBe(traced?.computeNs);
});

test('a device that is busy for longer than the true step leaves the host no share at all', () => {
  const step = calibrateStep(attribution, null, times(8));
  expect(step?.wallNs).toBeCloseTo(8 * COLUMN_NS, 0);
  expect(step?.computeNs).toBeCloseTo(8 * COLUMN_NS, 0);
});

test('the parts make up the step whatever the true time is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (columns) => {
      const step = calibrateStep(attribution, null, times(columns));
      expect(step && total(step)).toBeCloseTo(step?.wallNs ?? NaN, 0);
      expect(step?.wallNs).toBeCloseTo(Math.min(columns, 20) * COLUMN_NS, 0);
    }),
  );
});
