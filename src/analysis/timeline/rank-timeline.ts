import { type StringTable } from './string-table';

/** What kind of work a device operation is; the numbers are stored in `DeviceOps.kind`. */
export const DeviceOpKind = { kernel: 0, memcpy: 1, memset: 2 } as const;

/** What a host event is; the numbers are stored in `HostEvents.kind`. */
export const HostEventKind = {
  /** A framework operator (`cpu_op`, in 2021 `Operator`). */
  op: 0,
  /** A range set by a person or the framework (`user_annotation`): step markers, loader, optimizer. */
  annotation: 1,
  /** A call of the CUDA or HIP runtime or driver (`cuda_runtime`, `cuda_driver`, in 2021 `Runtime`). */
  runtime: 2,
  /** A Python frame (`python_function`, recorded with `with_stack=True`). */
  python: 3,
  /** Time that the profiler itself took (`overhead`). */
  overhead: 4,
} as const;

/** "No value" in unsigned id columns. */
export const NO_ID = 0xffffffff;
/** "No value" in signed index columns. */
export const NO_INDEX = -1;

/**
 * Device operations of one rank, sorted by start, then end. Times are integer ns relative to the timeline's origin.
 * All arrays have length `count`.
 */
export interface DeviceOps {
  count: number;
  startNs: Float64Array;
  endNs: Float64Array;
  nameId: Uint32Array;
  /** `DeviceOpKind`. */
  kind: Uint8Array;
  /** Device as the trace names it (ROCm traces may name one that `deviceProperties` does not list). */
  deviceId: Int32Array;
  streamId: Int32Array;
  /** NO_ID when absent. A graph launch gives hundreds of kernels one correlation id. */
  correlationId: Uint32Array;
  /** Index in `HostEvents` of the runtime call that launched it, or NO_INDEX. */
  launchIndex: Int32Array;
  /** Bytes moved by a copy or memset; NaN when absent or for a kernel. */
  bytes: Float64Array;
  /** Blocks of the grid (product of its dimensions); NaN when absent. */
  gridBlocks: Float64Array;
  /** Threads of a block (product of its dimensions); NaN when absent. */
  blockThreads: Float64Array;
  /** Index in `RankTimeline.collectives`, or NO_INDEX. */
  collectiveIndex: Int32Array;
}

/**
 * Host events of one rank, sorted by start, then by longest first, so that a parent precedes its children.
 * All arrays have length `count`.
 */
export interface HostEvents {
  count: number;
  startNs: Float64Array;
  endNs: Float64Array;
  nameId: Uint32Array;
  /** `HostEventKind`. */
  kind: Uint8Array;
  /** Index in `RankTimeline.threads`. */
  threadIndex: Uint16Array;
  /** Correlation id of a runtime call, or NO_ID. */
  correlationId: Uint32Array;
  /** Autograd sequence number of an op, or NO_ID: a forward op and its backward op share it. */
  sequenceNumber: Uint32Array;
  /** `Input Dims` as written in the trace, interned; 0 when absent. */
  inputDimsId: Uint32Array;
  /** `Input type` as written in the trace, interned; 0 when absent. */
  inputTypesId: Uint32Array;
  /**
   * `Concrete Inputs` (values of arguments) as written in the trace, interned; 0 when absent. Kept only for ops whose work
   * depends on them: attention, convolutions, scaled products, softmax, fused optimizers.
   */
  inputValuesId: Uint32Array;
  /** Index in `RankTimeline.collectives`, or NO_INDEX (`record_param_comms`). */
  collectiveIndex: Int32Array;
}

/** Arguments of a collective, as the trace carries them. Absent values are null, never zero. */
export interface Collective {
  /** For example `allreduce`, `_allgather_base`, as written. */
  name: string | null;
  processGroup: string | null;
  /** Ranks as written, for example `[0, 1]`; long groups may be abbreviated by the writer. */
  processGroupRanks: string | null;
  groupSize: number | null;
  inElements: number | null;
  outElements: number | null;
  dtype: string | null;
  /** Sequence number within the process group. */
  sequence: number | null;
  /** Communication id; may exceed 64 bits, so it stays text. */
  commsId: string | null;
}

/** Allocator events (`[memory]`), sorted by time. NaN where the trace gives no value. */
export interface MemoryEvents {
  count: number;
  timeNs: Float64Array;
  /** Positive for an allocation, negative for a release. */
  bytes: Float64Array;
  totalAllocatedBytes: Float64Array;
  totalReservedBytes: Float64Array;
  /** 0 is CPU, 1 is CUDA, as c10::DeviceType numbers them; 255 when absent. */
  deviceType: Uint8Array;
}

/** A host thread. Ids stay text: traces use numbers, negative numbers and words. */
export interface HostThread {
  processId: string;
  threadId: string;
  name: string;
}

/** One entry of `deviceProperties`. Absent values are null. */
export interface DeviceProperties {
  id: number;
  name: string;
  totalMemoryBytes: number | null;
  smCount: number | null;
  computeMajor: number | null;
  computeMinor: number | null;
  maxThreadsPerSm: number | null;
  regsPerSm: number | null;
  sharedMemPerSmBytes: number | null;
  warpSize: number | null;
}

/** What the trace says about itself outside its events. Absent values are null. */
export interface TraceMetadata {
  /** Added to every time of the file to give ns since 1970; 0 when absent. */
  baseTimeNs: bigint;
  devices: DeviceProperties[];
  rank: number | null;
  worldSize: number | null;
  /** `nccl`, `rccl`, `gloo`…, as written. */
  backend: string | null;
  ncclVersion: string | null;
  cudaRuntimeVersion: string | null;
  cudaDriverVersion: string | null;
  recordShapes: boolean;
  withStack: boolean;
  withFlops: boolean;
}

/** Everything the attribution needs from one rank's trace. Created per trace, never shared. */
export interface RankTimeline {
  /** Path of the artifact it came from. */
  path: string;
  /** Absolute time of relative 0, in ns since 1970 (or since the trace's own zero when it has no base time). */
  originNs: bigint;
  strings: StringTable;
  device: DeviceOps;
  host: HostEvents;
  memory: MemoryEvents;
  collectives: Collective[];
  threads: HostThread[];
  metadata: TraceMetadata;
  /** Events in the file, whether used or not. */
  eventsRead: number;
  /** True when the file ended before its JSON did. */
  truncated: boolean;
}
