import { type SymptomReport, type UTILISATION_IDS, type UtilisationPanel } from '../../analysis';

/** One row of the symptom table in words. */
export interface SymptomWording {
  title: string;
  /** What was looked at. */
  looksAt: string;
  /** What helps in general; the findings say what helps here. */
  direction: string;
}

/** Words by symptom; a missing one does not compile. */
export const SYMPTOM_WORDING: Readonly<Record<SymptomReport['symptom'], SymptomWording>> = {
  'low-utilisation-with-blanks': {
    title: 'low utilisation, blanks in the timeline',
    looksAt: 'share of the step in which the device waits for loader, copies or user code',
    direction: 'more workers, pinned memory, data prepared ahead',
  },
  'low-utilisation-between-kernels': {
    title: 'low utilisation, gaps between kernels',
    looksAt: 'share of the step in which the device waits for launches or after synchronisation',
    direction: 'torch.compile, CUDA graphs, no synchronisation in the loop',
  },
  'low-utilisation-with-collectives': {
    title: 'low utilisation, many collectives',
    looksAt: 'share of the step in collectives that no compute covers',
    direction: 'accumulation, larger buckets, other sharding; first see whether a rank is late',
  },
  'high-utilisation-but-slow': {
    title: 'high utilisation, yet slow',
    looksAt: 'share of kernel time in memory-bound kernels, or in 32-bit matrix kernels',
    direction: 'bf16, flash attention, fusion with torch.compile',
  },
  'memory-free-but-small-batch': {
    title: 'memory is free, yet the batch stays small',
    looksAt: 'peak memory against the memory of the GPU',
    direction: 'a larger batch, no checkpointing where it fits, expandable segments',
  },
  'step-time-varies': {
    title: 'step time varies',
    looksAt: 'time lost to steps above the median, without the profiler',
    direction: 'faster storage, data prepared ahead, periodic work out of the step',
  },
  'low-power': {
    title: 'power stays low',
    looksAt: 'power draw against the limit of the card',
    direction: 'the device is not fed: see the rows above',
  },
};

export function symptomState({ seen }: SymptomReport): string {
  return seen === null ? 'not known' : seen ? 'seen' : 'not seen';
}

/** What each figure of the utilisation panel answers. */
export const UTILISATION_LABELS: Readonly<Record<(typeof UTILISATION_IDS)[number], string>> = {
  'gpu-util': 'GPU-Util in the trace: any kernel at all',
  'gpu-util-unprofiled': 'GPU-Util without the profiler',
  'sm-activity': 'multiprocessors with work, at most',
  occupancy: 'warps on busy multiprocessors',
  'tensor-core-share': 'kernel time on matrix units',
  'memory-bandwidth': 'memory bandwidth in use',
  power: 'power against the limit',
  mfu: 'model flop against the dense peak (MFU)',
  'peak-memory': 'peak memory against capacity',
};

/** What the figures say together. */
export const UTILISATION_NOTES: Readonly<Record<NonNullable<UtilisationPanel['note']>, string>> = {
  'busy-with-idle-sms':
    'GPU-Util looks busy because one kernel is enough for it; many multiprocessors have nothing to do.',
  'memory-full-device-hungry':
    'Memory is well used and the device is hungry. That is no contradiction: memory says that the model fits, utilisation that it is fed.',
  'waiting-counts-as-busy':
    'A collective that waits for another rank counts as a busy GPU: much of GPU-Util is waiting, not work.',
};
