/** Runs that a run is compared with, and the fewest. */
const WINDOW_RUNS = 30;
const LEAST_RUNS = 10;

/**
 * Plain z-score over a look-back window, as services for continuous benchmarking describe it: a run whose distance from the
 * mean of the runs before it is more than `threshold` sample standard deviations. After an alarm the window starts anew.
 */
export function zScore(values, threshold) {
  const alarms = [];
  let start = 0;
  for (let i = 0; i < values.length; i++) {
    const past = values.slice(Math.max(start, i - WINDOW_RUNS), i);
    if (past.length < LEAST_RUNS) continue;
    const mean = past.reduce((a, b) => a + b, 0) / past.length;
    const sd = Math.sqrt(past.reduce((a, b) => a + (b - mean) ** 2, 0) / (past.length - 1));
    if (Math.abs(values[i] - mean) <= threshold * sd) continue;
    alarms.push({ foundAt: i, index: i });
    start = i;
  }
  return alarms;
}
