import { defineMetric, NO_DEVICE_STEPS } from './define-metric';

/** Model flop utilisation: what the model has to compute per second over the dense peak of the dtype in use, 0 to 1. */
export const mfu = defineMetric({
  id: 'mfu',
  unit: 'ratio',
  direction: 'higher-is-better',
  compute: (_, roofline) => {
    if (!roofline) return { notMeasurable: NO_DEVICE_STEPS };
    const { value, reason } = roofline.utilization.mfu;
    return value === null ? { notMeasurable: reason ?? NO_DEVICE_STEPS } : { value, source: 'modelled' };
  },
});
