import { meanStepMetric } from './define-metric';

/** Time of the mean step in copies that neither compute nor communication covers. */
export const exposedMemcpy = meanStepMetric(
  'exposed-memcpy',
  'lower-is-better',
  (mean) => mean.exposedMemcpyNs,
);
