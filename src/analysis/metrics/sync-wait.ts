import { meanStepMetric } from './define-metric';

/** Device idle because the host waited for it and then had to refill its queue. */
export const syncWait = meanStepMetric('sync-wait', 'lower-is-better', (mean) => mean.idle.syncWaitNs);
