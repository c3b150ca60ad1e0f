import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gaussian } from './seeded-random.mjs';

/** The first steps of a recording are warm-up. */
const WARM_UP_STEPS = 5;
const LEAST_STEPS = 20;
/** Steps whose median is the value of a run. */
const STEPS_PER_RUN = 20;

/** Step times without the profiler of every recording under the folder, each divided by its median. */
export function readStepNoise(folder) {
  const pools = readdirSync(folder).flatMap((run) => {
    try {
      const lines = readFileSync(join(folder, run, 'step_times.rank0.jsonl'), 'utf8')
        .trim()
        .split('\n');
      const times = lines.map((line) => JSON.parse(line).device_ms).slice(WARM_UP_STEPS);
      const middle = [...times].sort((a, b) => a - b)[times.length >> 1];
      return times.length >= LEAST_STEPS ? [times.map((value) => value / middle)] : [];
    } catch {
      return [];
    }
  });
  if (pools.length === 0)
    throw new Error(`No step_times.rank0.jsonl with ${LEAST_STEPS} steps under ${folder}.`);
  return pools;
}

/**
 * The step time of one run: the median of steps drawn from one recording, times a normal factor between runs (other node,
 * other clock), which no single recording can show.
 */
export function drawRun(random, pool, betweenRuns) {
  const steps = Array.from({ length: STEPS_PER_RUN }, () => pool[Math.floor(random() * pool.length)]);
  steps.sort((a, b) => a - b);
  const middle = (steps[STEPS_PER_RUN / 2 - 1] + steps[STEPS_PER_RUN / 2]) / 2;
  return middle * (1 + betweenRuns * gaussian(random));
}
