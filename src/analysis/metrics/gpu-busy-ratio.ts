import { meanStepMetric } from './define-metric';

/** Share of the mean step with a kernel on the device, 0 to 1: what nvidia-smi shows as GPU-Util, where copies do not
 * count. A symptom, not a cause. */
export const gpuBusyRatio = meanStepMetric(
  'gpu-busy-ratio',
  'higher-is-better',
  (mean) => (mean.computeNs + mean.exposedCommunicationNs) / mean.wallNs,
  'ratio',
);
