import { type StepTimes } from '../../src/analysis/formats/artifact-format';
import { StepSeries } from '../../src/analysis/formats/step-series';

/** Step times of rank 0 as our own hook writes them, one per host time (ns). */
export function stepTimesOf(hostNs: readonly number[]): StepTimes {
  const series = new StepSeries('stallscope', 0);
  hostNs.forEach((ns, step) => series.add({ step, hostNs: ns }));
  return series.finish();
}
