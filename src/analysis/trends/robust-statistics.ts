/** MAD and quantile distances are scaled to the standard deviation of a normal distribution. */
const MAD_TO_SIGMA = 1.4826;

/** Middle value; of an even number, the mean of the two in the middle. Throws RangeError for no values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('The median of nothing is not defined.');
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Standard deviation as the median absolute deviation from `center` tells it: one value in two may be an outlier. */
export function sigmaOfMad(values: readonly number[], center: number): number {
  return MAD_TO_SIGMA * median(values.map((value) => Math.abs(value - center)));
}
