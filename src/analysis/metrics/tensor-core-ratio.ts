import { defineMetric, NO_DEVICE_STEPS } from './define-metric';

/** Share of kernel time in kernels whose names show matrix units at work, 0 to 1. Names only: a lower bound. */
export const tensorCoreRatio = defineMetric({
  id: 'tensor-core-ratio',
  unit: 'ratio',
  direction: 'higher-is-better',
  compute: ({ kernels }) =>
    kernels.computeNs > 0
      ? { value: kernels.tensorCoreNs / kernels.computeNs, source: 'modelled' }
      : { notMeasurable: NO_DEVICE_STEPS },
});
