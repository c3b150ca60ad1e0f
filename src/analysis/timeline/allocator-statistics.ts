/** One figure of the caching allocator; null where the source does not have it. */
export interface AllocatorGauge {
  current: number | null;
  peak: number | null;
  /** Sum over the life of the process. */
  allocated: number | null;
  freed: number | null;
}

/** Large blocks (more than 1 MiB) and small ones lie in pools of their own; null where the source has no such split. */
export interface PooledGauge {
  all: AllocatorGauge;
  largePool: AllocatorGauge | null;
  smallPool: AllocatorGauge | null;
}

/** In bytes. `reserved` is what the process holds; `inactiveSplit` lies free in blocks that are partly in use. */
export type AllocatorBytes = 'allocated' | 'active' | 'requested' | 'reserved' | 'inactiveSplit';

/** Numbers of blocks. `segments` are single reservations from the driver. */
export type AllocatorCounts =
  'allocations' | 'active' | 'segments' | 'inactiveSplits' | 'oversizeAllocations' | 'oversizeSegments';

/** What PyTorch's caching allocator says of one device in one process, whichever way it was written down. */
export interface AllocatorStatistics {
  device: number | null;
  /**
   * Printed tables round down to a unit: figures of `all` that were read from one are up to 0.2 % low, those of pools up
   * to that share of the whole.
   */
  bytes: Partial<Record<AllocatorBytes, PooledGauge>>;
  counts: Partial<Record<AllocatorCounts, PooledGauge>>;
  /** Allocations that failed for good. */
  oomCount: number | null;
  /** Allocations for which the cache had to be emptied first: each costs a device synchronisation. */
  retryCount: number | null;
}
