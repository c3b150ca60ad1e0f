import { meanStepMetric } from './define-metric';

/** Device idle for which the trace shows no cause. */
export const unexplainedIdle = meanStepMetric(
  'unexplained-idle',
  'lower-is-better',
  (mean) => mean.idle.unexplainedNs,
);
