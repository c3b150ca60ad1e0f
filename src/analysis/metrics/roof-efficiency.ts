import { rooflineMetric } from './define-metric';

/**
 * How close the device runs to its roofs: the time that the modelled ops would take at their roofs over the time they
 * take, 0 to 1. What is not modelled counts as it is.
 */
export const roofEfficiency = rooflineMetric('roof-efficiency', 'higher-is-better', (t) =>
  t.modelledLeastNs === null || t.modelledNs === 0 ? null : t.modelledLeastNs / t.modelledNs,
);
