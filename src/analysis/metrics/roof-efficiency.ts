import { defineMetric, NO_DEVICE_STEPS } from './define-metric';

/**
 * How close the device runs to its roofs: the time that the modelled ops would take at their roofs over the time they
 * take, 0 to 1. What is not modelled counts as it is.
 */
export const roofEfficiency = defineMetric({
  id: 'roof-efficiency',
  unit: 'ratio',
  direction: 'higher-is-better',
  compute: (_, roofline) => {
    if (!roofline) return { notMeasurable: NO_DEVICE_STEPS };
    const { modelledNs, modelledLeastNs } = roofline.totals;
    return modelledLeastNs === null || modelledNs === 0
      ? {
          notMeasurable:
            roofline.gpu.reason ?? 'no op of the trace has shapes; record with record_shapes=True',
        }
      : { value: modelledLeastNs / modelledNs, source: 'modelled' };
  },
});
