import { z } from 'zod';
import { OOM_CAUSES } from '../formats/oom-message/oom-cause';

const bytes = z.number().nonnegative().nullable();
const count = z.number().int().nonnegative();

/** The caching allocator of one process on one device. Null: the source does not tell. */
export const memoryDeviceSchema = z.object({
  rank: z.number().int().nullable(),
  device: z.number().int().nullable(),
  source: z.string(),
  capacityBytes: bytes,
  allocatedPeakBytes: bytes,
  reservedPeakBytes: bytes,
  allocatedBytes: bytes,
  reservedBytes: bytes,
  /** Free, in blocks that are partly in use. */
  inactiveSplitBytes: bytes,
  /** Capacity without the most that was reserved. Below zero where other processes use the device too. */
  headroomBytes: z.number().nullable(),
  /** (reserved − allocated) / reserved, of the peaks. */
  fragmentationRatio: z.number().min(0).max(1).nullable(),
  /** Allocations for which the cache had to be emptied first: each costs a device synchronisation. */
  retryCount: count.nullable(),
  oomCount: count.nullable(),
});

/** An allocation that failed, as the message of the framework tells it. */
export const oomFailureSchema = z.object({
  cause: z.enum(OOM_CAUSES),
  /** With so much less in use it would have fitted. */
  missingBytes: bytes,
  backend: z.string(),
  rank: z.number().int().nullable(),
  device: z.number().int().nullable(),
  requestedBytes: bytes,
  capacityBytes: bytes,
  freeBytes: bytes,
  /** Cap that the job set for itself. */
  allowedBytes: bytes,
  processBytes: bytes,
  allocatedBytes: bytes,
  reservedBytes: bytes,
  unallocatedBytes: bytes,
  count,
  text: z.string(),
});

const siteSchema = z.object({ name: z.string(), file: z.string(), line: z.number().int().nullable() });

/** One device in a snapshot of the allocator: what is held, what is free, by whom, and what the recorded history shows. */
export const memorySnapshotSchema = z.object({
  path: z.string(),
  rank: z.number().int().nullable(),
  device: z.number().int(),
  reservedBytes: z.number().nonnegative(),
  allocatedBytes: z.number().nonnegative(),
  /** Freed by the program, kept back because another stream may use it. */
  pendingFreeBytes: z.number().nonnegative(),
  freeBytes: z.number().nonnegative(),
  /** Free, in segments that are partly in use: `empty_cache()` cannot give it back. */
  splitFreeBytes: z.number().nonnegative(),
  /** The largest allocation that fits without more memory from the driver. */
  largestFreeBytes: z.number().nonnegative(),
  freeBlockCount: count,
  segmentCount: count,
  expandableSegments: z.boolean().nullable(),
  /** Largest first, at most 20. `site` is null for blocks without a stack. */
  holders: z.array(
    z.object({ site: siteSchema.nullable(), sizeBytes: z.number().nonnegative(), blockCount: count }),
  ),
  otherHoldersBytes: z.number().nonnegative(),
  /** Null when no history was recorded. */
  trace: z
    .object({
      eventCount: count,
      spanS: z.number().nonnegative(),
      allocationCount: count,
      segmentAllocCount: count,
      segmentAllocBytes: z.number().nonnegative(),
      segmentFreeCount: count,
      segmentFreeBytes: z.number().nonnegative(),
      emptyCacheCount: count.nullable(),
      retryCount: count.nullable(),
      emptyCacheSite: siteSchema.nullable(),
      oomCount: count,
      lastOom: z.object({ requestedBytes: z.number().nonnegative(), deviceFreeBytes: bytes }).nullable(),
      peakRequestedBytes: bytes,
      peakReservedBytes: z.number().nonnegative(),
    })
    .nullable(),
});

export const memorySchema = z.object({
  devices: z.array(memoryDeviceSchema),
  /** Distinct messages, at most 16. */
  failures: z.array(oomFailureSchema),
  /** All of them. */
  failureCount: count,
  /** Devices in snapshots of the allocator, at most 64. */
  snapshots: z.array(memorySnapshotSchema).optional(),
});

export type MemoryDevice = z.infer<typeof memoryDeviceSchema>;
export type MemorySnapshotDevice = z.infer<typeof memorySnapshotSchema>;
export type OomFailure = z.infer<typeof oomFailureSchema>;
export type MemoryReport = z.infer<typeof memorySchema>;
