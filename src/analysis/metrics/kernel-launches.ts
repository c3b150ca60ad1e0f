import { defineMetric, NO_DEVICE_STEPS } from './define-metric';

/** Kernels per step of one rank. */
export const kernelLaunches = defineMetric({
  id: 'kernel-launches',
  unit: 'count',
  direction: 'lower-is-better',
  compute: ({ kernels }) =>
    kernels.stepCount > 0
      ? { value: kernels.count / kernels.stepCount, source: 'measured' }
      : { notMeasurable: NO_DEVICE_STEPS },
});
