import { median, sigmaOfMad } from './robust-statistics';

/** Where values lie, outliers left out. */
export interface Level {
  value: number;
  /** Standard deviation of single values. */
  sigma: number;
  /** Values that it stands on. */
  runs: number;
}

/** Values farther from the middle, in standard deviations, are outliers. */
const OUTLIER_SIGMAS = 3.5;
/** Below this share of the level, differences are rounding, whatever a constant series says of its noise. */
const LEAST_SIGMA_RATIO = 0.001;

/**
 * Mean and standard deviation of the values that are no outliers. The median finds the outliers, the mean wastes less of what
 * is left: it needs a third fewer runs for the same certainty. Throws RangeError for no values.
 *
 * @param leastSigma noise that is known to be there at least.
 */
export function levelOf(values: readonly number[], leastSigma = 0): Level {
  const middle = median(values);
  const least = Math.max(leastSigma, Math.abs(middle) * LEAST_SIGMA_RATIO);
  const reach = OUTLIER_SIGMAS * Math.max(sigmaOfMad(values, middle), least);
  const inliers = values.filter((value) => Math.abs(value - middle) <= reach);
  if (inliers.length === 0) return { value: middle, sigma: least, runs: values.length };
  const mean = inliers.reduce((sum, value) => sum + value, 0) / inliers.length;
  const squares = inliers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const sigma = inliers.length < 2 ? 0 : Math.sqrt(squares / (inliers.length - 1));
  return { value: mean, sigma: Math.max(sigma, least), runs: inliers.length };
}
