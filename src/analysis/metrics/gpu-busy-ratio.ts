import { meanStepMetric } from './define-metric';

/** Share of the mean step with anything on the device: what nvidia-smi shows as GPU-Util, 0 to 1. A symptom, not a cause. */
export const gpuBusyRatio = meanStepMetric(
  'gpu-busy-ratio',
  'higher-is-better',
  (mean) => 1 - mean.idleNs / mean.wallNs,
  'ratio',
);
