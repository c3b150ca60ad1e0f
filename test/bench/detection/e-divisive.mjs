import { seededRandom } from './seeded-random.mjs';

/** Runs on either side of a split, at least. */
const LEAST_PART = 2;
const PERMUTATIONS = 1_999;
const SEED = 7;

/**
 * E-divisive (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", JASA
 * 2014): the split with the largest scaled energy statistic (exponent 1), kept when at most a share `alpha` of permutations
 * of the segment has a larger one; then the same within both parts. Gives the first runs of the segments, in order of time.
 */
export function eDivisive(values, alpha, from = 0, random = seededRandom(SEED)) {
  if (values.length < 2 * LEAST_PART) return [];
  const { at, q } = bestSplit(values);
  if (!isSignificant(values, q, alpha, random)) return [];
  return [
    ...eDivisive(values.slice(0, at), alpha, from, random),
    from + at,
    ...eDivisive(values.slice(at), alpha, from + at, random),
  ];
}

/**
 * As continuous integration uses it: after every run, on all values since the last change that was found. A part in which
 * nothing was found is not searched again until it has grown, which changes no answer.
 */
export function eDivisiveOnline(values, alpha) {
  const random = seededRandom(SEED);
  const alarms = [];
  let start = 0;
  for (let end = 2 * LEAST_PART; end <= values.length; end++) {
    const segment = values.slice(start, end);
    if (segment.length < 2 * LEAST_PART) continue;
    const { at, q } = bestSplit(segment);
    if (!isSignificant(segment, q, alpha, random)) continue;
    start += at;
    alarms.push({ foundAt: end - 1, index: start });
  }
  return alarms;
}

/** The split of the largest statistic; sums of distances are moved along from split to split. */
function bestSplit(values) {
  const n = values.length;
  let within = 0;
  let across = 0;
  let right = 0;
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) right += Math.abs(values[i] - values[j]);
  let best = { at: LEAST_PART, q: -Infinity };
  for (let k = 1; k <= n - LEAST_PART; k++) {
    const moved = values[k - 1];
    let toLeft = 0;
    let toRight = 0;
    for (let i = 0; i < k - 1; i++) toLeft += Math.abs(moved - values[i]);
    for (let j = k; j < n; j++) toRight += Math.abs(moved - values[j]);
    within += toLeft;
    right -= toRight;
    across += toRight - toLeft;
    if (k < LEAST_PART) continue;
    const m = n - k;
    const energy = (2 * across) / (k * m) - (2 * within) / (k * (k - 1)) - (2 * right) / (m * (m - 1));
    const q = ((k * m) / n) * energy;
    if (q > best.q) best = { at: k, q };
  }
  return best;
}

/** p = (1 + permutations with a larger statistic) / (1 + permutations) <= alpha; ends as soon as that cannot be any more. */
function isSignificant(values, q, alpha, random) {
  const most = Math.floor(alpha * (PERMUTATIONS + 1) + 1e-9) - 1;
  const shuffled = [...values];
  let larger = 0;
  for (let p = 0; p < PERMUTATIONS && larger <= most; p++) {
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
    }
    if (bestSplit(shuffled).q >= q) larger++;
  }
  return larger <= most;
}
