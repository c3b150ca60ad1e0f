/** Random numbers in [0, 1) from a seed (mulberry32), so that every run of the benchmark sees the same series. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Length of a simulated series, runs. */
export const RUNS = 120;
const STEPS_PER_RUN = 20;

function gaussian(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * The step time of one run: the median of steps drawn from the measured residuals of one workload, times a factor between
 * runs (other node, other clock), which no single recording can show.
 */
function runValue(random, residuals, betweenRuns) {
  const steps = Array.from(
    { length: STEPS_PER_RUN },
    () => residuals[Math.floor(random() * residuals.length)],
  );
  steps.sort((a, b) => a - b);
  const middle = (steps[STEPS_PER_RUN / 2 - 1] + steps[STEPS_PER_RUN / 2]) / 2;
  return middle * (1 + betweenRuns * gaussian(random));
}

const between = (random, low, high) => low + (high - low) * random();

/** Level of each run as a factor, and the indices at which it truly changes. `sigma`: noise of one run, as a ratio. */
const SHAPES = {
  steady: () => ({ factor: () => 1, changes: [] }),
  spikes: (random) => {
    const share = between(random, 0.02, 0.06);
    return { factor: () => (random() < share ? between(random, 1.3, 3) : 1), changes: [] };
  },
  seasonal: (random, sigma) => {
    const amplitude = between(random, 0.5, 1.5) * sigma;
    const period = 7 + Math.floor(random() * 18);
    return { factor: (i) => 1 + amplitude * Math.sin((2 * Math.PI * i) / period), changes: [] };
  },
  varianceChange: (random, sigma) => {
    const at = 40 + Math.floor(random() * 40);
    return { factor: (i) => (i < at ? 1 : 1 + 2 * sigma * gaussian(random)), changes: [] };
  },
  step: (random, sigma) => {
    const at = 30 + Math.floor(random() * 60);
    const size = stepSize(random, sigma);
    return { factor: (i) => (i < at ? 1 : 1 + size), changes: [at] };
  },
  stepWithSpikes: (random, sigma) => {
    const at = 30 + Math.floor(random() * 60);
    const size = stepSize(random, sigma);
    const spike = () => (random() < 0.04 ? between(random, 1.3, 3) : 1);
    return { factor: (i) => (i < at ? 1 : 1 + size) * spike(), changes: [at] };
  },
  upAndDown: (random, sigma) => {
    const at = 30 + Math.floor(random() * 20);
    const back = at + 25 + Math.floor(random() * 20);
    const size = stepSize(random, sigma);
    return { factor: (i) => (i >= at && i < back ? 1 + size : 1), changes: [at, back] };
  },
  drift: (random, sigma) => {
    const at = 30 + Math.floor(random() * 50);
    const size = Math.abs(stepSize(random, sigma)) * 1.5;
    return { factor: (i) => 1 + (size * Math.min(Math.max(i - at, 0), 20)) / 20, changes: [at], slow: 20 };
  },
  backfill: (random, sigma) => {
    const at = 30 + Math.floor(random() * 60);
    const size = stepSize(random, sigma);
    return { factor: (i) => (i < at ? 1 : 1 + size), changes: [at], backfilled: true };
  },
};

function stepSize(random, sigma) {
  const size = Math.max(0.03, between(random, 2.5, 10) * sigma);
  return random() < 0.7 ? size : -Math.min(size, 0.5);
}

export const NULL_SHAPES = ['steady', 'spikes', 'seasonal', 'varianceChange'];
export const CHANGE_SHAPES = ['step', 'stepWithSpikes', 'upAndDown', 'drift', 'backfill'];

/** One series with known changes. `residuals`: pools of step times divided by their median, one per workload. */
export function simulateSeries(shape, seed, residualPools) {
  const random = seededRandom(seed);
  const residuals = residualPools[Math.floor(random() * residualPools.length)];
  const betweenRuns = between(random, 0.003, 0.015);
  const probe = Array.from({ length: 60 }, () => runValue(random, residuals, betweenRuns));
  const mean = probe.reduce((a, b) => a + b, 0) / probe.length;
  const sigma = Math.sqrt(probe.reduce((a, b) => a + (b - mean) ** 2, 0) / (probe.length - 1)) / mean;
  const { factor, changes, slow = 0, backfilled = false } = SHAPES[shape](random, sigma);
  const values = Array.from({ length: RUNS }, (_, i) => factor(i) * runValue(random, residuals, betweenRuns));
  return { shape, values, changes, slow, backfilled, sigma };
}
