import { type RunFacts } from '../attribution/run-facts';
import { type Figure } from '../units/figure';
import { type UtilisationPanel } from './advice-schema';
import { peakMemoryShare } from './run-metadata-fields';
import { smActivity } from './sm-activity';

/** Figures that other parts of the analysis, or other artefacts, give where they can. */
export interface UtilisationInputs {
  /** Model flop per second over the dense peak. */
  mfu?: Figure | null;
  /** Bytes per second over the memory bandwidth, modelled from shapes or measured by counters. */
  memoryBandwidthRatio?: Figure | null;
  /** Mean power draw over the limit, from a monitor log. */
  powerRatio?: Figure | null;
}

/** Above this share of the time with a kernel, a device looks busy. */
const LOOKS_BUSY = 0.9;
/** Below this share of its multiprocessors at work it is not. */
const IDLE_SMS = 0.6;
/** A device is hungry below this GPU-Util, and its memory full above this share. */
const HUNGRY = 0.7;
const MEMORY_FULL = 0.7;
/** Kernels that only wait for other ranks make up the difference between busy and computing. */
const NOTABLE_WAITING = 0.15;

/**
 * The ways to look at utilisation, side by side. None of them names a cause: GPU-Util counts time with at least one kernel,
 * so that one busy multiprocessor reads 100 %.
 */
export function utilisationPanel(facts: RunFacts, inputs: UtilisationInputs = {}): UtilisationPanel {
  const gpuUtil = gpuUtilFigure(facts);
  const activity = smActivityFigure(facts);
  const memory = memoryFigure(facts);
  return {
    figures: [
      gpuUtil,
      unprofiledGpuUtil(facts),
      activity,
      missing(
        'occupancy',
        'needs registers and shared memory per block; record the longest kernels with ncu',
      ),
      tensorCoreFigure(facts),
      renamed(
        'memory-bandwidth',
        inputs.memoryBandwidthRatio,
        'needs bytes per kernel: shapes in the trace, or ncu',
      ),
      renamed('power', inputs.powerRatio, 'needs a monitor log of the run (nvidia-smi dmon)'),
      renamed('mfu', inputs.mfu, 'needs parameters, tokens per step and a GPU whose peak is known'),
      memory,
    ],
    note: noteOf(facts, activity.value, memory.value),
  };
}

/** What nvidia-smi shows as GPU-Util, while the profiler was on: time with a kernel; copies are none. */
function gpuUtilFigure({ meanStep }: RunFacts): Figure {
  if (!meanStep || meanStep.wallNs === 0)
    return missing('gpu-util', 'the trace has no steps with device activity');
  const kernelNs = meanStep.computeNs + meanStep.exposedCommunicationNs;
  return { id: 'gpu-util', value: kernelNs / meanStep.wallNs, unit: 'ratio', source: 'measured' };
}

/** The same without the profiler's share: what nvidia-smi shows on an ordinary run. */
function unprofiledGpuUtil({ step }: RunFacts): Figure {
  if (!step?.calibrated) return missing('gpu-util-unprofiled', 'needs step times without the profiler');
  return { id: 'gpu-util-unprofiled', value: kernelShare(step), unit: 'ratio', source: 'modelled' };
}

function kernelShare(step: NonNullable<RunFacts['step']>): number {
  return Math.min(1, (step.computeNs + step.exposedTransferNs + step.exposedWaitNs) / step.wallNs);
}

/** Of the whole step, the true one where that is known. */
function smActivityFigure(facts: RunFacts): Figure {
  const activity = smActivity(facts);
  if ('reason' in activity) return missing('sm-activity', activity.reason);
  if (!facts.step || facts.step.wallNs === 0) return missing('sm-activity', 'the trace has no counted step');
  const value = activity.ratio * kernelShare(facts.step);
  return { id: 'sm-activity', value, unit: 'ratio', source: 'modelled' };
}

/** Share of compute-kernel time in kernels whose names show matrix units at work. */
function tensorCoreFigure({ kernels }: RunFacts): Figure {
  if (kernels.computeNs === 0)
    return missing('tensor-core-share', 'the trace has no kernels in its counted steps');
  const value = kernels.tensorCoreNs / kernels.computeNs;
  return { id: 'tensor-core-share', value, unit: 'ratio', source: 'modelled' };
}

function memoryFigure(facts: RunFacts): Figure {
  const share = peakMemoryShare(facts);
  return share === null
    ? missing('peak-memory', 'needs memory_stats.rank<N>.json, or the peak memory in the metadata')
    : { id: 'peak-memory', value: share, unit: 'ratio', source: 'measured' };
}

function noteOf(
  { meanStep, step }: RunFacts,
  smShare: number | null,
  memoryShare: number | null,
): UtilisationPanel['note'] {
  if (!meanStep || !step || step.wallNs === 0) return null;
  const busy = kernelShare(step);
  const waiting = (step.exposedTransferNs + step.exposedWaitNs) / step.wallNs;
  if (busy >= HUNGRY && waiting >= NOTABLE_WAITING) return 'waiting-counts-as-busy';
  if (busy >= LOOKS_BUSY && smShare !== null && smShare < IDLE_SMS) return 'busy-with-idle-sms';
  if (busy < HUNGRY && memoryShare !== null && memoryShare >= MEMORY_FULL) return 'memory-full-device-hungry';
  return null;
}

function missing(id: string, reason: string): Figure {
  return { id, value: null, unit: 'ratio', source: 'notMeasurable', reason };
}

function renamed(id: string, figure: Figure | null | undefined, reason: string): Figure {
  return figure ? { ...figure, id } : missing(id, reason);
}
