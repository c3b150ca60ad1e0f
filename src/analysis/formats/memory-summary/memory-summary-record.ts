import { type AllocatorStatistics } from '../../timeline/allocator-statistics';

/** The tables of one text, in its order: one per device, or one per time of printing. */
export interface MemorySummary {
  /** From the file name. */
  rank: number | null;
  tables: AllocatorStatistics[];
}
