import { type CalibratedStep } from '../attribution/calibrated-step';
import { type Figure } from '../units/figure';
import { NS_PER_S } from '../units/time';
import { type RooflineReport } from './roofline-schema';

/** The figures of a roofline that say how much of the device is used. */
export interface UtilisationFigures {
  mfu: Figure | null;
  memoryBandwidthRatio: Figure | null;
}

/**
 * MFU, and the share of the memory bandwidth that the least bytes of the modelled ops need over the mean step (a lower
 * bound of what is moved). Both are null when there is no roofline.
 */
export function utilisationOf(
  roofline: RooflineReport | null,
  step: CalibratedStep | null,
): UtilisationFigures {
  if (!roofline) return { mfu: null, memoryBandwidthRatio: null };
  const { value, source, reason } = roofline.utilization.mfu;
  return {
    mfu: { id: 'mfu', value, unit: 'ratio', source, ...(reason === null ? {} : { reason }) },
    memoryBandwidthRatio: bandwidth(roofline, step),
  };
}

function bandwidth({ gpu, totals, stepCount }: RooflineReport, step: CalibratedStep | null): Figure | null {
  if (
    gpu.memoryBytesPerSec === null ||
    !step ||
    step.wallNs <= 0 ||
    stepCount === 0 ||
    totals.leastBytes === 0
  )
    return null;
  const bytesPerSec = (totals.leastBytes / stepCount / step.wallNs) * NS_PER_S;
  return {
    id: 'memory-bandwidth',
    value: bytesPerSec / gpu.memoryBytesPerSec,
    unit: 'ratio',
    source: 'modelled',
  };
}
