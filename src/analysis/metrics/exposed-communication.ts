import { meanStepMetric } from './define-metric';

/** Time of the mean step in collectives that no compute covers. */
export const exposedCommunication = meanStepMetric(
  'exposed-communication',
  'lower-is-better',
  (mean) => mean.exposedCommunicationNs,
);
