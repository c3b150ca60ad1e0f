import { meanStepMetric } from './define-metric';

/** Device idle while the host runs user code between operators. */
export const hostOther = meanStepMetric('host-other', 'lower-is-better', (mean) => mean.idle.hostOtherNs);
