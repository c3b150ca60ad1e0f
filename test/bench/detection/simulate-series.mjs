import { between, gaussian, seededRandom } from './seeded-random.mjs';
import { drawRun } from './step-noise.mjs';

/** Length of a simulated series, runs. */
export const RUNS = 120;
/** Noise between runs of the same thing, standard deviation as a ratio. */
const BETWEEN_RUNS = [0.003, 0.015];
/** Spikes: the share of runs, and how many times slower they are. */
const SPIKE_SHARE = [0.02, 0.06];
const SPIKE_FACTOR = [1.3, 3];
/** Runs over which a drift moves, and its size a run. */
const DRIFT_RUNS = 30;
const DRIFT_RATIO_PER_RUN = 0.003;

const place = (random) => 30 + Math.floor(random() * 50);
const upOrDown = (random) => (random() < 0.7 ? 1 : -1);

function step(size) {
  return (random) => {
    const at = place(random);
    const level = 1 + size * upOrDown(random);
    return { level: (i) => (i < at ? 1 : level), changes: [at] };
  };
}

/** The level of each run as a factor, and the runs at which it truly changes. `sigma`: noise of one run, as a ratio. */
const SCENARIOS = {
  steady: () => ({ level: () => 1, changes: [] }),
  'variance change': (random, sigma) => {
    const at = place(random);
    return { level: (i) => (i < at ? 1 : 1 + 2 * sigma * gaussian(random)), changes: [] };
  },
  seasonality: (random, sigma) => {
    const amplitude = between(random, 0.5, 1.5) * sigma;
    const period = 7 + Math.floor(random() * 18);
    return { level: (i) => 1 + amplitude * Math.sin((2 * Math.PI * i) / period), changes: [] };
  },
  'step 1 %': step(0.01),
  'step 2 %': step(0.02),
  'step 5 %': step(0.05),
  'step 10 %': step(0.1),
  'up and back 5 %': (random) => {
    const at = place(random) - 10;
    const back = at + 25 + Math.floor(random() * 10);
    return { level: (i) => (i >= at && i < back ? 1.05 : 1), changes: [at, back] };
  },
  'drift 0.3 % a run': (random) => {
    const at = place(random);
    const moved = (i) => Math.min(Math.max(i - at, 0), DRIFT_RUNS);
    return { level: (i) => 1 + DRIFT_RATIO_PER_RUN * moved(i), changes: [at], slowRuns: DRIFT_RUNS };
  },
  'back-fill, step 5 %': (random) => ({ ...step(0.05)(random), lateShare: 0.25 }),
};
export const SCENARIO_NAMES = Object.keys(SCENARIOS);

/**
 * One series of RUNS values with known changes. `late[i]`: the run is uploaded after all others.
 *
 * @param pools step noise of recordings, see `readStepNoise`.
 */
export function simulateSeries(scenario, seed, pools, hasSpikes) {
  const random = seededRandom(seed);
  const pool = pools[Math.floor(random() * pools.length)];
  const betweenRuns = between(random, ...BETWEEN_RUNS);
  const probe = Array.from({ length: 60 }, () => drawRun(random, pool, betweenRuns));
  const mean = probe.reduce((a, b) => a + b, 0) / probe.length;
  const sigma = Math.sqrt(probe.reduce((a, b) => a + (b - mean) ** 2, 0) / (probe.length - 1)) / mean;
  const { level, changes, slowRuns = 0, lateShare = 0 } = SCENARIOS[scenario](random, sigma);
  const spikeShare = hasSpikes ? between(random, ...SPIKE_SHARE) : 0;
  const spike = () => (random() < spikeShare ? between(random, ...SPIKE_FACTOR) : 1);
  const values = Array.from(
    { length: RUNS },
    (_, i) => level(i) * drawRun(random, pool, betweenRuns) * spike(),
  );
  return { values, changes, slowRuns, late: values.map(() => random() < lateShare) };
}
