/** A period that comes again and again in a series of samples. */
export interface SawTooth {
  /** Length of a period in samples. */
  periodSamples: number;
  /** Autocorrelation at the period: 1 for a series that repeats exactly. */
  strength: number;
}

/** More samples make the period no clearer, only slower to find. */
const MAX_SAMPLES = 4096;
const MAX_LAG = 512;
/** Periods that a series must show before one is believed. */
const MIN_PERIODS = 3;
const MIN_STRENGTH = 0.5;
/** Chance alone gives a correlation of about 1/√n; a period must stand this far above. */
const CHANCE_FACTOR = 3;

/**
 * The period of a series by autocorrelation: the strongest peak after the first zero. Null for a series that varies by
 * less than `leastDeviation`, is too short, or does not repeat. NaN counts as the mean.
 */
export function findSawTooth(samples: ArrayLike<number>, leastDeviation: number): SawTooth | null {
  const deviations = deviationsOf(samples);
  const variance = correlation(deviations, 0);
  if (!(Math.sqrt(variance) >= leastDeviation)) return null;
  const longest = Math.min(MAX_LAG, Math.floor(deviations.length / MIN_PERIODS));
  const r = [1];
  for (let lag = 1; lag <= longest + 1; lag++) r.push(correlation(deviations, lag) / variance);
  const zero = r.findIndex((value) => value < 0);
  if (zero < 0) return null;
  let best: SawTooth | null = null;
  for (let lag = zero + 1; lag <= longest; lag++) {
    const isPeak = r[lag] >= r[lag - 1] && r[lag] >= r[lag + 1];
    const least = Math.max(MIN_STRENGTH, CHANCE_FACTOR / Math.sqrt(deviations.length - lag));
    // Multiples of the period are about as strong; the first of equals is the period itself.
    if (isPeak && r[lag] >= least && r[lag] > 1.1 * (best?.strength ?? 0))
      best = { periodSamples: lag, strength: Math.min(1, r[lag]) };
  }
  return best;
}

function deviationsOf(samples: ArrayLike<number>): Float64Array {
  const values = Float64Array.from({ length: Math.min(samples.length, MAX_SAMPLES) }, (_, i) => samples[i]);
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return values.map((value) => (Number.isNaN(value) ? 0 : value - mean));
}

/** Mean product of the series with itself `lag` samples later. */
function correlation(deviations: Float64Array, lag: number): number {
  const count = deviations.length - lag;
  if (count <= 0) return 0;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += deviations[i] * deviations[i + lag];
  return sum / count;
}
