import { meanStepMetric } from './define-metric';

/** Device idle because the next kernel was launched late, the host being busy in the framework. */
export const launchGap = meanStepMetric('launch-gap', 'lower-is-better', (mean) => mean.idle.launchGapNs);
