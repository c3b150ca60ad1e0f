import { meanStepMetric } from './define-metric';

/** Device idle while the host waits for its input. */
export const inputWait = meanStepMetric('input-wait', 'lower-is-better', (mean) => mean.idle.inputWaitNs);
