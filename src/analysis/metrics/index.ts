import { computeTime } from './compute-time';
import { allocatorWait } from './allocator-wait';
import { dependencyWait } from './dependency-wait';
import { unexplainedIdle } from './unexplained-idle';
import { mfu } from './mfu';
import { hfu } from './hfu';
import { computeRoofRatio } from './compute-roof-ratio';
import { memoryRoofRatio } from './memory-roof-ratio';
import { roofEfficiency } from './roof-efficiency';
import { type Metric } from './define-metric';
import { deviceIdle } from './device-idle';
import { exposedCommunication } from './exposed-communication';
import { exposedMemcpy } from './exposed-memcpy';
import { gpuBusyRatio } from './gpu-busy-ratio';
import { hostOther } from './host-other';
import { inputWait } from './input-wait';
import { kernelLaunches } from './kernel-launches';
import { launchGap } from './launch-gap';
import { shortKernelRatio } from './short-kernel-ratio';
import { stepTime } from './step-time';
import { syncWait } from './sync-wait';
import { tensorCoreRatio } from './tensor-core-ratio';
import { unprofiledMeanStepTime } from './unprofiled-mean-step-time';
import { unprofiledStepTime } from './unprofiled-step-time';

/** Every metric of a run, in the order in which reports show them. One line adds one. */
export const METRICS: readonly Metric[] = [
  stepTime,
  unprofiledStepTime,
  unprofiledMeanStepTime,
  gpuBusyRatio,
  computeTime,
  exposedCommunication,
  exposedMemcpy,
  deviceIdle,
  inputWait,
  syncWait,
  launchGap,
  hostOther,
  unexplainedIdle,
  dependencyWait,
  allocatorWait,
  kernelLaunches,
  shortKernelRatio,
  tensorCoreRatio,
  mfu,
  hfu,
  computeRoofRatio,
  memoryRoofRatio,
  roofEfficiency,
];
