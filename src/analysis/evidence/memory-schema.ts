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

export const memorySchema = z.object({
  devices: z.array(memoryDeviceSchema),
  /** Distinct messages, at most 16. */
  failures: z.array(oomFailureSchema),
  /** All of them. */
  failureCount: count,
});

export type MemoryDevice = z.infer<typeof memoryDeviceSchema>;
export type OomFailure = z.infer<typeof oomFailureSchema>;
export type MemoryReport = z.infer<typeof memorySchema>;
