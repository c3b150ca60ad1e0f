import { createRequire } from 'node:module';
import { seededRandom } from './simulate-series.mjs';

const { findChangePoints, DEFAULT_SHIFT_RULES } = createRequire(import.meta.url)(
  '../../../dist/src/analysis/trends/index.js',
);

/**
 * Every detector sees the values in order and gives its alarms: the index with which it was raised, and where it says that
 * the change is. `strictness` is its one knob; larger means fewer alarms.
 */
export const DETECTORS = {
  stallscope: {
    knobs: [3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 9, 10, 12],
    detect: (values, strictness) =>
      findChangePoints(values, { ...DEFAULT_SHIFT_RULES, minScore: strictness }).map(
        ({ foundAt, index }) => ({
          foundAt,
          index,
        }),
      ),
  },

  /** Distance of a run from the mean of the 30 before it, in standard deviations (ddof = 1); alarms start anew. */
  zScore: {
    knobs: [2, 2.5, 3, 3.5, 4, 5, 6, 8, 10, 15, 20, 30, 50, 80],
    detect(values, strictness) {
      const alarms = [];
      let start = 0;
      for (let i = 0; i < values.length; i++) {
        const past = values.slice(Math.max(start, i - 30), i);
        if (past.length < 8) continue;
        const mean = past.reduce((a, b) => a + b, 0) / past.length;
        const sd = Math.sqrt(past.reduce((a, b) => a + (b - mean) ** 2, 0) / (past.length - 1));
        if (Math.abs(values[i] - mean) <= strictness * sd) continue;
        alarms.push({ foundAt: i, index: i });
        start = i;
      }
      return alarms;
    },
  },

  /**
   * E-divisive means (Matteson and James, 2014) as continuous integration uses it: after every run, on the last 60 values, the
   * split of the largest energy statistic; significant by 99 permutations at p <= 0.05. The knob is the least relative change.
   */
  eDivisive: {
    knobs: [0, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 1],
    detect(values, strictness) {
      const random = seededRandom(7);
      const alarms = [];
      let start = 0;
      for (let end = 10; end <= values.length; end++) {
        const from = Math.max(start, end - 60);
        const window = values.slice(from, end);
        if (window.length < 10) continue;
        const best = bestSplit(window);
        if (Math.abs(meanShift(window, best.at)) < strictness) continue;
        if (!isSignificant(window, best.q, random)) continue;
        alarms.push({ foundAt: end - 1, index: from + best.at });
        start = from + best.at;
      }
      return alarms;
    },
  },
};

function meanShift(window, at) {
  const mean = (part) => part.reduce((a, b) => a + b, 0) / part.length;
  const before = mean(window.slice(0, at));
  return (mean(window.slice(at)) - before) / before;
}

/** Smallest part on either side of a split. */
const LEAST_PART = 2;

function bestSplit(window) {
  const n = window.length;
  let within = 0;
  let acrossAndLeft = 0;
  let right = 0;
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) right += Math.abs(window[i] - window[j]);
  let best = { at: LEAST_PART, q: -Infinity };
  for (let k = 1; k <= n - LEAST_PART; k++) {
    const moved = window[k - 1];
    let toLeft = 0;
    let toRight = 0;
    for (let i = 0; i < k - 1; i++) toLeft += Math.abs(moved - window[i]);
    for (let j = k; j < n; j++) toRight += Math.abs(moved - window[j]);
    within += toLeft;
    right -= toRight;
    acrossAndLeft += toRight - toLeft;
    if (k < LEAST_PART) continue;
    const m = n - k;
    const energy = (2 * acrossAndLeft) / (k * m) - (2 * within) / (k * (k - 1)) - (2 * right) / (m * (m - 1));
    const q = ((k * m) / n) * energy;
    if (q > best.q) best = { at: k, q };
  }
  return best;
}

const PERMUTATIONS = 99;
const SIGNIFICANT = 0.05;

function isSignificant(window, q, random) {
  const most = SIGNIFICANT * (PERMUTATIONS + 1) - 1;
  const shuffled = [...window];
  let larger = 0;
  for (let p = 0; p < PERMUTATIONS; p++) {
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
    }
    if (bestSplit(shuffled).q >= q && ++larger > most) return false;
  }
  return true;
}
