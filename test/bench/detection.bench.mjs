/**
 * Compares the change-point detection with two published ones on simulated series at the same rate of false alarms.
 * Usage: node test/bench/detection.bench.mjs [FOLDER OF RECORDINGS]; prints Markdown.
 */
import { join } from 'node:path';
import { AS_SHIPPED, DETECTORS } from './detection/detectors.mjs';
import { addCounts, countAlarms, falseAlarmsPer1000, summarize } from './detection/score-alarms.mjs';
import { SCENARIO_NAMES, simulateSeries } from './detection/simulate-series.mjs';
import { readStepNoise } from './detection/step-noise.mjs';

const FALSE_ALARMS_PER_1000_RUNS = 1;
const CALIBRATION_SERIES = Number(process.env.CALIBRATION_SERIES ?? 500);
const SERIES_PER_SCENARIO = Number(process.env.SERIES_PER_SCENARIO ?? 100);
const CALIBRATION_SEED = 1_000_000;
const TEST_SEED = 23_000_000;

const pools = readStepNoise(process.argv[2] ?? join(import.meta.dirname, '../../../shared/corpus/h200'));
const seriesOf = (scenario, seed, count, hasSpikes) =>
  Array.from({ length: count }, (_, i) => simulateSeries(scenario, seed + i, pools, hasSpikes));

/** The most sensitive knob that keeps the rate on steady series; more alarms come from smaller knobs. */
function calibrate({ knobs, detect }, series) {
  const rateOf = (knob) => falseAlarmsPer1000(countAlarms((values) => detect(values, knob), series));
  let low = 0;
  let high = Math.round((knobs.to - knobs.from) / knobs.step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rateOf(knobs.from + middle * knobs.step) <= FALSE_ALARMS_PER_1000_RUNS) high = middle;
    else low = middle + 1;
  }
  const knob = knobs.from + low * knobs.step;
  return { knob, rate: rateOf(knob) };
}

const figure = (value, digits) => (value === null ? '–' : value.toFixed(digits));
const printRow = (cells) => console.log(`| ${cells.join(' | ')} |`);

for (const hasSpikes of [false, true]) {
  const steady = seriesOf('steady', CALIBRATION_SEED, CALIBRATION_SERIES, hasSpikes);
  const test = SCENARIO_NAMES.map((scenario, s) => ({
    scenario,
    series: seriesOf(scenario, TEST_SEED + 100_000 * s, SERIES_PER_SCENARIO, hasSpikes),
  }));
  console.log(`\n## Noise ${hasSpikes ? 'with' : 'without'} spikes\n`);
  const contestants = Object.entries(DETECTORS).map(([name, detector]) => {
    const started = performance.now();
    const { knob, rate } = calibrate(detector, steady);
    const calibrateS = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `- ${name}: threshold ${Math.abs(knob).toFixed(3)}, ${rate.toFixed(2)} false alarms per 1,000 steady runs (${calibrateS} s)`,
    );
    return { name, detect: (values) => detector.detect(values, knob) };
  });
  contestants.push({ name: 'as shipped', detect: AS_SHIPPED });
  console.log('');
  printRow([
    'scenario',
    'detector',
    'precision',
    'recall',
    'delay, runs',
    'place off by, runs',
    'false alarms per 1,000 runs',
  ]);
  printRow(['---', '---', '--:', '--:', '--:', '--:', '--:']);
  const all = contestants.map(({ name, detect }) => ({
    name,
    counts: test.map(({ series }) => countAlarms(detect, series)),
  }));
  const show = (scenario, pick) => {
    for (const { name, counts } of all) {
      const {
        precision,
        recall,
        delayRuns,
        misplacedRuns,
        falseAlarmsPer1000: rate,
      } = summarize(pick(counts));
      printRow([
        scenario,
        name,
        figure(precision, 3),
        figure(recall, 3),
        figure(delayRuns, 1),
        figure(misplacedRuns, 1),
        figure(rate, 2),
      ]);
    }
  };
  show('**all**', addCounts);
  test.forEach(({ scenario }, s) => show(scenario, (counts) => counts[s]));
}
