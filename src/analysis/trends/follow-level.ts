import { median } from './robust-statistics';

/** A regression as far as later runs are read against it. Values of one metric, in its unit. */
export interface FollowedLevel {
  /** Level before the regression, and the level that it brought. */
  before: number;
  after: number;
  /** Standard deviation of single runs around a level. */
  sigma: number;
  /** Changes below this share of the level before matter to nobody. */
  minChangeRatio: number;
}

/** What later runs say of a regression; undefined while they do not say it with certainty. */
export interface LevelNews {
  /** `back`: as before it; `lasting`: on its level; `better`, `worse`: on neither, but on another level. */
  kind: 'back' | 'lasting' | 'better' | 'worse';
  /** Index of the first value that says so. */
  index: number;
  level: number;
}

/** Log-likelihood ratio that is certainty: chance alone gets there once in about three thousand runs. */
const CERTAIN = 8;
/** No single run, however far off, says more than half of that. */
const MOST_PER_RUN = CERTAIN / 2;
/** Of two levels that are close together, noise of less than this share of their distance is not believed. */
const LEAST_SIGMA_SHARE = 0.02;
/** Share of the step between the two levels from which on another level is another one. */
const OTHER_LEVEL_SHARE = 0.25;

/**
 * Reads the runs since a regression began against its two levels, which are known, so that two or three runs are enough where
 * `findLatestShift` would have to learn the level first. A sequential test (Page's cumulative sum) with bounded steps. Judges by
 * the past alone.
 *
 * @param values one per commit, in the order of the series.
 */
export function followLevel(
  values: readonly number[],
  followed: FollowedLevel,
): Partial<Record<LevelNews['kind'], LevelNews>> {
  const { before, after, minChangeRatio } = followed;
  const step = after - before;
  const least = minChangeRatio * Math.abs(before);
  const sigma = Math.max(followed.sigma, Math.abs(step) * LEAST_SIGMA_SHARE);
  if (step === 0 || sigma === 0) return {};
  const worseBy = Math.max(least, Math.abs(step) / 2) * Math.sign(step);
  const certain = (from: number, to: number) => whenCertain(values, from, to, sigma);
  const news: Partial<Record<LevelNews['kind'], LevelNews>> = {};

  const isOther = (level: number) =>
    Math.abs(level - after) >= Math.max(least, OTHER_LEVEL_SHARE * Math.abs(step));
  const left = certain(after, before) ?? certain(after, after - worseBy);
  if (left !== undefined) {
    const level = median(values.slice(left));
    const stillWorse = (level - before) * Math.sign(step);
    const isBack = stillWorse <= Math.max(least, LEAST_SIGMA_SHARE * Math.abs(step));
    const kind = isBack ? 'back' : 'better';
    if (isBack || isOther(level)) news[kind] = { kind, index: left, level };
  }
  const lasting = certain(before, after);
  if (lasting !== undefined)
    news.lasting = { kind: 'lasting', index: lasting, level: median(values.slice(lasting)) };
  const worse = certain(after, after + worseBy);
  if (worse !== undefined) {
    const level = median(values.slice(worse));
    if (isOther(level)) news.worse = { kind: 'worse', index: worse, level };
  }
  return news;
}

/** Index since which the values are of the level `to`, not `from`, as far as the last value makes certain. */
function whenCertain(values: readonly number[], from: number, to: number, sigma: number): number | undefined {
  let sum = 0;
  let since = 0;
  values.forEach((value, i) => {
    const ratio = ((to - from) * (2 * value - from - to)) / (2 * sigma ** 2);
    if (sum === 0) since = i;
    sum = Math.max(0, sum + Math.max(-MOST_PER_RUN, Math.min(MOST_PER_RUN, ratio)));
  });
  return sum >= CERTAIN ? since : undefined;
}
