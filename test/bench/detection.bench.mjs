import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DETECTORS } from './detection/detectors.mjs';
import { CHANGE_SHAPES, NULL_SHAPES, RUNS, simulateSeries } from './detection/simulate-series.mjs';

/** Alarms within so many runs after a change belong to it. */
const MATCH_RUNS = 15;
const FALSE_ALARMS_PER_1000_RUNS = 1;
const SERIES_PER_SHAPE = Number(process.env.SERIES_PER_SHAPE ?? 40);

const pools = readResiduals(process.argv[2] ?? join(import.meta.dirname, '../../../shared/corpus/h200'));

/** Step times without the profiler, divided by their median; the first steps are warm-up. */
function readResiduals(folder) {
  const residuals = readdirSync(folder).flatMap((run) => {
    try {
      const lines = readFileSync(join(folder, run, 'step_times.rank0.jsonl'), 'utf8')
        .trim()
        .split('\n');
      const values = lines.map((line) => JSON.parse(line).device_ms).slice(5);
      const middle = [...values].sort((a, b) => a - b)[values.length >> 1];
      return values.length >= 20 ? [values.map((value) => value / middle)] : [];
    } catch {
      return [];
    }
  });
  if (residuals.length === 0) throw new Error(`No step_times.rank0.jsonl with 20 steps under ${folder}.`);
  return residuals;
}

const seriesOf = (shapes, seed) =>
  shapes.flatMap((shape, s) =>
    Array.from({ length: SERIES_PER_SHAPE }, (_, i) => simulateSeries(shape, seed + 10_000 * s + i, pools)),
  );

function score(detector, strictness, series) {
  let hits = 0;
  let changes = 0;
  let falseAlarms = 0;
  const delays = [];
  const distances = [];
  for (const { values, changes: truth, slow } of series) {
    changes += truth.length;
    const open = new Set(truth);
    for (const { foundAt, index } of detector.detect(values, strictness)) {
      const change = [...open].find((at) => foundAt >= at && foundAt < at + MATCH_RUNS + slow);
      if (change === undefined) {
        // What is left of a slow change is no new one, and no false alarm.
        if (!truth.some((at) => slow > 0 && foundAt >= at && foundAt < at + MATCH_RUNS + slow)) falseAlarms++;
        continue;
      }
      open.delete(change);
      hits++;
      delays.push(foundAt - change);
      if (slow === 0) distances.push(Math.abs(index - change));
    }
  }
  const middle = (list) => (list.length === 0 ? NaN : list.sort((a, b) => a - b)[list.length >> 1]);
  return {
    recall: hits / changes,
    precision: hits / (hits + falseAlarms),
    delayRuns: middle(delays),
    locationErrorRuns: middle(distances),
    falseAlarmsPer1000: (1000 * falseAlarms) / (series.length * RUNS),
  };
}

const calibration = seriesOf(NULL_SHAPES, 1);
const nullTest = seriesOf(NULL_SHAPES, 500_001);
const changeTest = CHANGE_SHAPES.map((shape, s) => ({
  shape,
  series: seriesOf([shape], 900_001 + 50_000 * s),
}));
const round = (value) => Math.round(value * 1000) / 1000;
const rows = [];
for (const [name, detector] of Object.entries(DETECTORS)) {
  const knob =
    detector.knobs.find(
      (strictness) =>
        score(detector, strictness, calibration).falseAlarmsPer1000 <= FALSE_ALARMS_PER_1000_RUNS,
    ) ?? detector.knobs.at(-1);
  const onNull = score(detector, knob, nullTest);
  for (const { shape, series } of [
    { shape: 'all changes', series: changeTest.flatMap(({ series: all }) => all) },
    ...changeTest,
  ]) {
    const { recall, precision, delayRuns, locationErrorRuns } = score(detector, knob, series);
    rows.push({
      detector: name,
      knob,
      'false alarms / 1000 runs': round(onNull.falseAlarmsPer1000),
      shape,
      precision: round(precision),
      recall: round(recall),
      'delay (runs)': delayRuns,
      'location error (runs)': locationErrorRuns,
    });
  }
}
console.table(rows);
