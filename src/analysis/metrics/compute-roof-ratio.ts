import { rooflineMetric } from './define-metric';

/** Share of compute time in ops whose roof is arithmetic, 0 to 1. */
export const computeRoofRatio = rooflineMetric(
  'compute-roof-ratio',
  'neutral',
  (t) => t.computeRoofNs / t.computeNs,
);
