import { type OomMessage } from '../formats/oom-message/oom-message-record';
import { oomCauseOf } from '../formats/oom-message/oom-cause';
import { type AllocatorBytes } from '../timeline/allocator-statistics';
import { type MemoryDevice, type MemoryReport, type OomFailure } from './memory-schema';
import { snapshotFacts } from './snapshot-facts';
import { ALLOCATOR_SOURCES, type AllocatorEvidence, type RunEvidence } from './run-evidence';

/** A failure of every rank tells nothing new. */
const MOST_FAILURES = 16;
const MOST_DEVICES = 1024;

/**
 * What is known of the memory of the devices, bytes; null when nothing was uploaded that tells it.
 *
 * @param capacityBytes of a device, as the trace says; null when it does not.
 */
export function memoryReportOf(
  { allocators, ooms, snapshots }: Pick<RunEvidence, 'allocators' | 'ooms' | 'snapshots'>,
  capacityBytes: number | null,
): MemoryReport | null {
  if (allocators.length === 0 && ooms.length === 0 && snapshots.length === 0) return null;
  const failures = ooms.map(({ message }) => failureOf(message));
  const capacity = capacityBytes ?? failures.find((f) => f.capacityBytes !== null)?.capacityBytes ?? null;
  return {
    devices: believed(allocators)
      .slice(0, MOST_DEVICES)
      .map((one) => deviceOf(one, capacity)),
    failures: failures.slice(0, MOST_FAILURES),
    failureCount: ooms.reduce((sum, { message }) => sum + message.count, 0),
    snapshots: snapshotFacts(snapshots),
  };
}

/** Of each process its most exact source, and of that the latest of each device: the last one in the file. */
function believed(allocators: readonly AllocatorEvidence[]): AllocatorEvidence[] {
  const exactness = ({ source }: AllocatorEvidence) => ALLOCATOR_SOURCES.indexOf(source);
  const best = new Map<number | null, number>();
  for (const one of allocators) best.set(one.rank, Math.min(exactness(one), best.get(one.rank) ?? Infinity));
  const kept = new Map<string, AllocatorEvidence>();
  for (const one of allocators)
    if (exactness(one) === best.get(one.rank)) kept.set(`${one.rank} ${one.statistics.device}`, one);
  return [...kept.values()].sort((a, b) => (a.rank ?? -1) - (b.rank ?? -1));
}

function deviceOf(
  { rank, source, statistics }: AllocatorEvidence,
  capacityBytes: number | null,
): MemoryDevice {
  const gauge = (id: AllocatorBytes, of: 'current' | 'peak') => statistics.bytes[id]?.all[of] ?? null;
  const [allocatedPeak, reservedPeak] = [gauge('allocated', 'peak'), gauge('reserved', 'peak')];
  return {
    rank,
    device: statistics.device,
    source,
    capacityBytes,
    allocatedPeakBytes: allocatedPeak,
    reservedPeakBytes: reservedPeak,
    allocatedBytes: gauge('allocated', 'current'),
    reservedBytes: gauge('reserved', 'current'),
    inactiveSplitBytes: gauge('inactiveSplit', 'current'),
    headroomBytes: capacityBytes === null || reservedPeak === null ? null : capacityBytes - reservedPeak,
    fragmentationRatio:
      reservedPeak === null || reservedPeak === 0 || allocatedPeak === null
        ? null
        : Math.max(0, (reservedPeak - allocatedPeak) / reservedPeak),
    retryCount: statistics.retryCount,
    oomCount: statistics.oomCount,
  };
}

function failureOf(message: OomMessage): OomFailure {
  const { backend, rank, device, requestedBytes, capacityBytes, freeBytes, allowedBytes, count } = message;
  const { processBytes, allocatedBytes, reservedBytes, unallocatedBytes } = message;
  return {
    ...oomCauseOf(message),
    ...{ backend, rank, device, requestedBytes, capacityBytes, freeBytes, allowedBytes, count },
    ...{ processBytes, allocatedBytes, reservedBytes, unallocatedBytes, text: message.text },
  };
}
