/** The line of code that memory was asked for at. `line` is null for native code. */
export interface AllocationSite {
  name: string;
  file: string;
  line: number | null;
}

/** Blocks in use that one line asked for. */
export interface MemoryHolder {
  /** Null where the snapshot has no stack of the block: history was off when it was taken. */
  site: AllocationSite | null;
  sizeBytes: number;
  blockCount: number;
}

/**
 * What the allocator did in the recorded history of one device; an older history may have been overwritten. Peaks stand
 * on the state at the end: what lies before the history does not count.
 */
export interface SnapshotTrace {
  eventCount: number;
  /** First to last event, s. */
  spanS: number;
  allocationCount: number;
  /** Reservations from the driver (cudaMalloc, or mapping of an expandable segment), and their return. */
  segmentAllocCount: number;
  segmentAllocBytes: number;
  segmentFreeCount: number;
  segmentFreeBytes: number;
  /** The cache was given back: by `empty_cache()`, or to make room for an allocation (a retry). Null without stacks. */
  emptyCacheCount: number | null;
  retryCount: number | null;
  /** The line whose calls of `empty_cache()` gave back most segments. */
  emptyCacheSite: AllocationSite | null;
  oomCount: number;
  /** The last out-of-memory event: what was asked for, and what the device had free then. */
  lastOom: { requestedBytes: number; deviceFreeBytes: number | null } | null;
  /** Bytes that tensors asked for, before rounding, at their highest. */
  peakRequestedBytes: number | null;
  peakReservedBytes: number;
}

/** The caching allocator of one device at the time of the snapshot. */
export interface SnapshotDevice {
  device: number;
  segmentCount: number;
  reservedBytes: number;
  allocatedBytes: number;
  /** Freed by the program, still held because another stream may use it. */
  pendingFreeBytes: number;
  /** Asked for, before rounding; null in files that do not tell. */
  requestedBytes: number | null;
  /** Free in all segments; of it `splitFreeBytes` in segments that are partly in use, the rest could be given back. */
  freeBytes: number;
  splitFreeBytes: number;
  freeBlockCount: number;
  /** The largest single allocation that fits without new memory from the driver. */
  largestFreeBytes: number;
  /** Largest first, bounded; what the others hold is in `otherHoldersBytes`. */
  holders: MemoryHolder[];
  otherHoldersBytes: number;
  /** Null when no history was recorded. */
  trace: SnapshotTrace | null;
}

/** Settings of the allocator that a snapshot names; null where it does not. */
export interface SnapshotSettings {
  expandableSegments: boolean | null;
  maxSplitSizeBytes: number | null;
  garbageCollectionThreshold: number | null;
}

/** What `torch.cuda.memory._dump_snapshot()` wrote. */
export interface MemorySnapshot {
  /** From the file name. */
  rank: number | null;
  devices: SnapshotDevice[];
  settings: SnapshotSettings | null;
}
