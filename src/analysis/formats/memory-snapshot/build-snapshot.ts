import { type Frame } from './frames';
import {
  type AllocationSite,
  type MemorySnapshot,
  type SnapshotDevice,
  type SnapshotTrace,
} from './memory-snapshot-record';
import { type DeviceTally, type SnapshotBuilder } from './snapshot-builder';
import { BlockTally } from './block-tally';
import { type TraceTally } from './trace-tally';

/** Holders that are told apart. */
const MAX_HOLDERS = 20;
/** Names of templates in native code are long. */
const MAX_NAME_CHARS = 200;

/** The record of what was summed up; devices without memory and history are left out. */
export function buildSnapshot(builder: SnapshotBuilder, rank: number | null): MemorySnapshot {
  const ids = new Set(builder.devices.keys());
  builder.traces.forEach((trace, id) => trace && ids.add(id));
  const devices = [...ids]
    .sort((a, b) => a - b)
    .map((id) => deviceOf(id, builder.devices.get(id) ?? null, builder.traces.at(id) ?? null));
  return { rank, devices, settings: builder.settings };
}

function deviceOf(device: number, tally: DeviceTally | null, trace: TraceTally | null): SnapshotDevice {
  const blocks = tally?.blocks ?? new BlockTally();
  const reservedBytes = blocks.inUseBytes + blocks.freeBytes;
  const requestedBytes = blocks.requestUnknown ? null : blocks.requestedBytes;
  const holders = [...blocks.holders]
    .map(([site, held]) => ({ site: site && siteOf(site), ...held }))
    .sort((a, b) => b.sizeBytes - a.sizeBytes);
  return {
    device,
    segmentCount: tally?.segmentCount ?? 0,
    reservedBytes,
    allocatedBytes: blocks.allocatedBytes,
    pendingFreeBytes: blocks.pendingFreeBytes,
    requestedBytes,
    freeBytes: blocks.freeBytes,
    splitFreeBytes: tally?.splitFreeBytes ?? 0,
    freeBlockCount: blocks.freeBlockCount,
    largestFreeBytes: blocks.largestFreeBytes,
    holders: holders.slice(0, MAX_HOLDERS),
    otherHoldersBytes: holders.slice(MAX_HOLDERS).reduce((sum, h) => sum + h.sizeBytes, 0),
    trace: trace && traceOf(trace, requestedBytes, reservedBytes),
  };
}

function traceOf(tally: TraceTally, requestedBytes: number | null, reservedBytes: number): SnapshotTrace {
  const [emptyCacheSite] = [...tally.emptyCacheSites].sort(([, a], [, b]) => b - a).map(([site]) => site);
  const whose = tally.hasStacks || tally.segmentFree.count === 0;
  return {
    eventCount: tally.eventCount,
    spanS: Math.max(0, tally.lastUs - tally.firstUs || 0) / 1e6,
    allocationCount: tally.allocationCount,
    segmentAllocCount: tally.segmentAlloc.count,
    segmentAllocBytes: tally.segmentAlloc.sizeBytes,
    segmentFreeCount: tally.segmentFree.count,
    segmentFreeBytes: tally.segmentFree.sizeBytes,
    emptyCacheCount: whose ? tally.emptyCacheCount : null,
    retryCount: whose ? tally.retryCount : null,
    emptyCacheSite: emptyCacheSite ? siteOf(emptyCacheSite) : null,
    oomCount: tally.oomCount,
    lastOom: tally.lastOom,
    // The state at the end is known, so the level at the start follows from what happened in between.
    peakRequestedBytes:
      requestedBytes === null ? null : requestedBytes - tally.requested.now + tally.requested.highest,
    peakReservedBytes: reservedBytes - tally.reserved.now + tally.reserved.highest,
  };
}

function siteOf({ name, file, line }: Frame): AllocationSite {
  return { name: name.slice(0, MAX_NAME_CHARS), file: file.slice(-MAX_NAME_CHARS), line };
}
