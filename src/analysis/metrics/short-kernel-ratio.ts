import { defineMetric, NO_DEVICE_STEPS } from './define-metric';

/** Share of kernels shorter than 10 µs, by count, 0 to 1. */
export const shortKernelRatio = defineMetric({
  id: 'short-kernel-ratio',
  unit: 'ratio',
  direction: 'lower-is-better',
  compute: ({ kernels }) =>
    kernels.count > 0
      ? { value: kernels.shortCount / kernels.count, source: 'measured' }
      : { notMeasurable: NO_DEVICE_STEPS },
});
