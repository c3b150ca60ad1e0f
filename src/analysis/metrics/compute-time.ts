import { meanStepMetric } from './define-metric';

/** Time of the mean step with a compute kernel on the device. */
export const computeTime = meanStepMetric('compute-time', 'neutral', (mean) => mean.computeNs);
