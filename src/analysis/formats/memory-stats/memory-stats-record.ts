import { type AllocatorStatistics } from '../../timeline/allocator-statistics';

/** What one process said of one device. */
export interface MemoryStats {
  /** From the file name. */
  rank: number | null;
  statistics: AllocatorStatistics;
}
