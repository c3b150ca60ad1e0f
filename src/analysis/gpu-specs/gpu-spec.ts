import { capacity, type SourcedFigure } from './sourced-figure';

/**
 * Arithmetic peaks that a data sheet may give. `fp64Tensor` and `fp32Tensor` are matrix units (NVIDIA tensor cores, AMD matrix
 * cores) that keep the full precision; `fp64` and `fp32` are vector units. All others are matrix units.
 */
export const PEAK_IDS = [
  'fp64',
  'fp64Tensor',
  'fp32',
  'fp32Tensor',
  'tf32',
  'bf16',
  'fp16',
  'fp8',
  'int8',
  'fp4',
] as const;
export type PeakId = (typeof PEAK_IDS)[number];

/** What a link is made of. `nvlink-bridge` is an option that joins a pair of cards; without it the pair has PCIe only. */
export type LinkKind = 'nvlink' | 'nvlink-bridge' | 'nvlink-c2c' | 'infinity-fabric' | 'pcie';

/** Bandwidth of one GPU on one kind of link: over all its links together, and the half of it that goes one way. */
export interface Link {
  kind: LinkKind;
  totalBytesPerSec: SourcedFigure;
  perDirectionBytesPerSec: SourcedFigure;
}

/** What a GPU can do at best, as published: dense figures, one device as a trace sees it (on MI250: one GCD). */
export interface GpuSpec {
  id: string;
  /** For people. */
  label: string;
  /** `unknown` only for a GPU that the user describes. */
  vendor: 'nvidia' | 'amd' | 'unknown';
  /** Names that drivers, traces and monitors give to this model and to no other. */
  names: readonly string[];
  /** Names that it has in common with others; memory size and SM count tell which one it is. */
  sharedNames: readonly string[];
  computeMajor: number;
  computeMinor: number;
  /** LLVM target of an AMD GPU, for example `gfx942`; null for NVIDIA. */
  gfx: string | null;
  /** True when architecture, compute units and memory size alone name the model: AMD drivers may give no name. */
  knownByProperties: boolean;
  /** Dense flop (for `int8`: operations) per second, never the figure for structured sparsity. */
  peaks: Readonly<Record<PeakId, SourcedFigure>>;
  memoryBandwidthBytesPerSec: SourcedFigure;
  memoryBytes: SourcedFigure;
  /** Streaming multiprocessors, on AMD compute units. */
  smCount: SourcedFigure;
  boostClockHz: SourcedFigure;
  /** GPU to GPU inside the node or rack. */
  scaleUpLink: Link;
  /** Between host and GPU. */
  hostLink: Link;
  powerLimitW: SourcedFigure;
  note: string | null;
}

type SpecInput = Omit<
  GpuSpec,
  'sharedNames' | 'gfx' | 'knownByProperties' | 'peaks' | 'note' | 'memoryBytes'
> &
  Partial<Pick<GpuSpec, 'sharedNames' | 'gfx' | 'knownByProperties' | 'note'>> & {
    peaks: Partial<Record<PeakId, SourcedFigure>>;
    /** Why the peaks that are not listed do not exist. */
    otherPeaks: string;
    /** Capacity as printed ("80 GB"). Both vendors print GB and mean GiB: a card "of 80 GB" reports 79.2 GiB. */
    memoryGib: number;
    /** Where the capacity is printed. */
    memorySource: string;
  };

/** Completes a specification: peaks without a figure carry the reason, capacities become bytes. */
export function spec({ peaks, otherPeaks, memoryGib, memorySource, ...rest }: SpecInput): GpuSpec {
  const complete = PEAK_IDS.map((id) => [id, peaks[id] ?? { value: null, reason: otherPeaks }]);
  return {
    sharedNames: [],
    gfx: null,
    knownByProperties: false,
    note: null,
    ...rest,
    peaks: Object.fromEntries(complete) as Record<PeakId, SourcedFigure>,
    memoryBytes: capacity(memorySource, memoryGib),
  };
}

/** A link whose total over both directions is published; links are symmetric, so one direction has half of it. */
export function link(kind: LinkKind, totalBytesPerSec: SourcedFigure): Link {
  const { value } = totalBytesPerSec;
  return {
    kind,
    totalBytesPerSec,
    perDirectionBytesPerSec:
      value === null
        ? totalBytesPerSec
        : { ...totalBytesPerSec, value: value / 2, derivation: 'half of the total over both directions' },
  };
}
