import { type MemorySnapshot } from '../formats/memory-snapshot/memory-snapshot-record';
import { type MemorySnapshotDevice } from './memory-schema';
import { type RunEvidence } from './run-evidence';

/** Devices of snapshots that a report has; a process sees eight or so and uses one. */
const MOST_SNAPSHOT_DEVICES = 64;

/** What snapshots of the allocator say, device by device; those that hold nothing and have no history are left out. */
export function snapshotFacts(snapshots: RunEvidence['snapshots']): MemorySnapshotDevice[] {
  return snapshots
    .flatMap(({ path, snapshot }) => devicesOf(path, snapshot))
    .filter((device) => device.reservedBytes > 0 || (device.trace?.eventCount ?? 0) > 0)
    .sort((a, b) => (a.rank ?? -1) - (b.rank ?? -1) || a.device - b.device)
    .slice(0, MOST_SNAPSHOT_DEVICES);
}

function devicesOf(path: string, { rank, devices, settings }: MemorySnapshot): MemorySnapshotDevice[] {
  return devices.map(({ requestedBytes: _, ...device }) => ({
    path,
    rank,
    expandableSegments: settings?.expandableSegments ?? null,
    ...device,
  }));
}
