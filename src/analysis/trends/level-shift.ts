import { median, sigmaOfDifferences, sigmaOfMad } from './robust-statistics';

/** When a shift of a level counts. Each of the three must hold: significance, magnitude, persistence. */
export interface ShiftRules {
  /** Distance of the two levels in standard errors from which on it is no chance. */
  minScore: number;
  /** Least change that matters, as a share of the level before: the noise floor of the metric and what people care for. */
  minChangeRatio: number;
  /** Runs that must lie on the new level: one run, however far off, is a spike. */
  minRuns: number;
  /** Runs before the shift that are needed to know the old level. */
  minBaselineRuns: number;
  /** Runs before the shift that are looked at: older ones say less about now. */
  maxBaselineRuns: number;
  /** Runs after the shift that are looked at when it is searched for. */
  maxRecentRuns: number;
}

export const DEFAULT_SHIFT_RULES: ShiftRules = {
  minScore: 6,
  minChangeRatio: 0.02,
  minRuns: 2,
  minBaselineRuns: 8,
  maxBaselineRuns: 60,
  maxRecentRuns: 12,
};

/** A level that moved. */
export interface LevelShift {
  /** Index of the first value on the new level. */
  index: number;
  before: number;
  after: number;
  /** (after − before) / |before|. */
  changeRatio: number;
  /** Distance in standard errors, with the sign of the change. */
  score: number;
  /** Standard deviation of single values around the level before. */
  sigma: number;
}

/** Share of the recent values that must lie beyond half the shift. */
const ON_NEW_LEVEL_SHARE = 0.75;
/** Below this share of the level, differences are rounding, whatever a constant series says of its noise. */
const LEAST_SIGMA_RATIO = 0.001;

/**
 * Noise of single values around their level. The larger of two robust estimates: one sees noise that is no drift, the
 * other slow movement, which is no shift either.
 */
export function noiseOf(values: readonly number[], level: number): number {
  const least = Math.abs(level) * LEAST_SIGMA_RATIO;
  return Math.max(sigmaOfMad(values, level), sigmaOfDifferences(values), least);
}

/**
 * Whether the level of the last values differs from that before them: the best split among the last `maxRecentRuns`, by the
 * distance of the medians in standard errors. Judges by the past alone: appending values never changes an earlier answer.
 * Undefined when there are too few values or the level stayed.
 */
export function findLatestShift(values: readonly number[], rules: ShiftRules): LevelShift | undefined {
  let best: LevelShift | undefined;
  for (let recentRuns = rules.minRuns; recentRuns <= rules.maxRecentRuns; recentRuns++) {
    const index = values.length - recentRuns;
    if (index < rules.minBaselineRuns) break;
    const shift = shiftAt(values, index, rules);
    if (shift && (!best || Math.abs(shift.score) > Math.abs(best.score))) best = shift;
  }
  return best;
}

function shiftAt(values: readonly number[], index: number, rules: ShiftRules): LevelShift | undefined {
  const old = values.slice(Math.max(0, index - rules.maxBaselineRuns), index);
  const recent = values.slice(index);
  const before = median(old);
  const after = median(recent);
  const change = after - before;
  if (change === 0 || Math.abs(change) < rules.minChangeRatio * Math.abs(before)) return undefined;
  const sigma = noiseOf(old, before);
  const score = change / (sigma * Math.sqrt(MEDIAN_VARIANCE * (1 / recent.length + 1 / old.length)));
  if (Math.abs(score) < rules.minScore) return undefined;
  if (!persists(recent, before + change / 2, Math.sign(change))) return undefined;
  return { index, before, after, changeRatio: change / Math.abs(before), score, sigma };
}

/** A median of n normal values has π/2 times the variance of their mean. */
const MEDIAN_VARIANCE = Math.PI / 2;

function persists(recent: readonly number[], half: number, direction: number): boolean {
  const beyond = recent.filter((value) => (value - half) * direction > 0).length;
  return beyond >= recent.length * ON_NEW_LEVEL_SHARE;
}
