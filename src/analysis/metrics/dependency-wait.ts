import { meanStepMetric } from './define-metric';

/** Device idle though the next operation was launched in time: it waits for another stream or event. */
export const dependencyWait = meanStepMetric(
  'dependency-wait',
  'lower-is-better',
  (mean) => mean.idle.dependencyNs,
);
