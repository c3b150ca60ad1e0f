import { meanStepMetric } from './define-metric';

/** Mean traced step, over counted steps and ranks. */
export const stepTime = meanStepMetric('step-time', 'lower-is-better', (mean) => mean.wallNs);
