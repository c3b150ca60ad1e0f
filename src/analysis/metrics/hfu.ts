import { defineMetric, NO_DEVICE_STEPS } from './define-metric';

/** Hardware flop utilisation: like MFU, with what is computed a second time, 0 to 1. */
export const hfu = defineMetric({
  id: 'hfu',
  unit: 'ratio',
  direction: 'higher-is-better',
  compute: (_, roofline) => {
    if (!roofline) return { notMeasurable: NO_DEVICE_STEPS };
    const { value, reason } = roofline.utilization.hfu;
    return value === null ? { notMeasurable: reason ?? NO_DEVICE_STEPS } : { value, source: 'modelled' };
  },
});
