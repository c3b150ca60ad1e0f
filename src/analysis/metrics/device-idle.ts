import { meanStepMetric } from './define-metric';

/** Time of the mean step with nothing on the device. */
export const deviceIdle = meanStepMetric('device-idle', 'lower-is-better', (mean) => mean.idleNs);
