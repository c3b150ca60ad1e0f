import { defineMetric, NO_DEVICE_STEPS } from './define-metric';

/** Share of compute time in ops whose roof is the memory, 0 to 1. */
export const memoryRoofRatio = defineMetric({
  id: 'memory-roof-ratio',
  unit: 'ratio',
  direction: 'neutral',
  compute: (_, roofline) => {
    if (!roofline || roofline.totals.computeNs === 0) return { notMeasurable: NO_DEVICE_STEPS };
    const { computeNs, computeRoofNs, memoryRoofNs } = roofline.totals;
    if (computeRoofNs + memoryRoofNs === 0)
      return {
        notMeasurable: roofline.gpu.reason ?? 'no op of the trace has shapes; record with record_shapes=True',
      };
    return { value: memoryRoofNs / computeNs, source: 'modelled' };
  },
});
