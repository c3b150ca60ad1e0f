import { meanStepMetric } from './define-metric';

/** Device idle while the host is in the allocator. */
export const allocatorWait = meanStepMetric(
  'allocator-wait',
  'lower-is-better',
  (mean) => mean.idle.allocatorNs,
);
