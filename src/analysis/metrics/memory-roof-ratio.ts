import { rooflineMetric } from './define-metric';

/** Share of compute time in ops whose roof is the memory, 0 to 1. */
export const memoryRoofRatio = rooflineMetric(
  'memory-roof-ratio',
  'neutral',
  (t) => t.memoryRoofNs / t.computeNs,
);
