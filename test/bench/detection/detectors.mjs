import { createRequire } from 'node:module';
import { eDivisiveOnline } from './e-divisive.mjs';
import { zScore } from './z-score.mjs';

const { findChangePoints, DEFAULT_SHIFT_RULES } = createRequire(import.meta.url)(
  '../../../dist/src/analysis/trends/index.js',
);

/** Least change that counts in the comparison: below the smallest simulated step, so that the scores decide. */
const LEAST_CHANGE_RATIO = 0.005;

/**
 * Every detector sees the values in order and gives its alarms: with which run it was raised, and where it says that the
 * change is. `knobs`: what its one threshold is bisected over, from the most alarms to the fewest.
 */
export const DETECTORS = {
  stallscope: {
    knobs: { from: 2, to: 12, step: 0.01 },
    detect: (values, minScore) =>
      findChangePoints(values, { ...DEFAULT_SHIFT_RULES, minScore, minChangeRatio: LEAST_CHANGE_RATIO }),
  },
  'E-divisive': {
    knobs: { from: -0.05, to: -0.0005, step: 0.0005 },
    detect: (values, minusAlpha) => eDivisiveOnline(values, -minusAlpha),
  },
  'z-score': { knobs: { from: 2, to: 200, step: 0.05 }, detect: zScore },
};

/** With the rules that teams start with: a change below 2 % is none. */
export const AS_SHIPPED = (values) => findChangePoints(values, DEFAULT_SHIFT_RULES);
