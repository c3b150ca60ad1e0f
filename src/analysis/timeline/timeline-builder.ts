import {
  type Collective,
  type DeviceOps,
  type HostEvents,
  type HostThread,
  type MemoryEvents,
  NO_INDEX,
  type RankTimeline,
  type TraceMetadata,
} from './rank-timeline';
import { stableOrder } from './stable-order';
import { type StringTable } from './string-table';
import { gathered } from './typed-columns';
import { NS_PER_US } from '../units/time';
import { type DeviceColumns } from './device-columns';
import { type HostColumns } from './host-columns';
import { type LinkCounts, linkLaunches } from './launch-links';
import { type MemoryColumns } from './memory-columns';
import { findOrigin, plausibleRows, type StartColumn, type TimeOrigin } from './time-origin';

/** What a reader of traces has collected of one rank, in the order of the file. */
export interface CollectedEvents {
  strings: StringTable;
  device: DeviceColumns;
  host: HostColumns;
  memory: MemoryColumns;
  collectives: Collective[];
  threads: HostThread[];
  /** Events in the file, whether kept or not. */
  eventsRead: number;
}

/** A timeline and what was left out while it was put together. */
export interface BuiltTimeline {
  timeline: RankTimeline;
  /** Events too far from the rest. */
  implausible: number;
  duplicates: number;
  links: LinkCounts;
}

/** Sorts the collected events, makes their times relative, drops duplicates and outliers, and links launches. */
export function buildTimeline(
  path: string,
  collected: CollectedEvents,
  metadata: TraceMetadata,
  truncated: boolean,
): BuiltTimeline {
  const columns = [collected.device, collected.host, collected.memory];
  const origin = findOrigin(columns);
  const { ops: device, duplicates, dropped: droppedOps } = buildDevice(collected.device, origin);
  const { events: host, dropped: droppedEvents } = buildHost(collected.host, origin);
  const { events: memory, dropped: droppedMemory } = buildMemory(collected.memory, origin);
  const links = linkLaunches(device, host, collected.strings);
  const timeline: RankTimeline = {
    path,
    originNs: metadata.baseTimeNs + BigInt(origin.originUs) * BigInt(NS_PER_US),
    strings: collected.strings,
    device,
    host,
    memory,
    collectives: collected.collectives,
    threads: collected.threads,
    metadata,
    eventsRead: collected.eventsRead,
    truncated,
  };
  return { timeline, implausible: droppedOps + droppedEvents + droppedMemory, duplicates, links };
}

function relativeStarts(column: StartColumn & { startNs: Uint16Array }, originUs: number): Float64Array {
  const starts = new Float64Array(column.count);
  for (let i = 0; i < starts.length; i++)
    starts[i] = (column.startUs[i] - originUs) * NS_PER_US + column.startNs[i];
  return starts;
}

function endsOf(starts: Float64Array, durations: Float64Array): Float64Array {
  const ends = new Float64Array(starts.length);
  for (let i = 0; i < ends.length; i++) ends[i] = starts[i] + durations[i];
  return ends;
}

function buildDevice(
  columns: DeviceColumns,
  origin: TimeOrigin,
): { ops: DeviceOps; duplicates: number; dropped: number } {
  const starts = relativeStarts(columns, origin.originUs);
  const ends = endsOf(starts, columns.durationNs);
  const rows = plausibleRows(columns, origin);
  const { correlationId, streamId, deviceId, nameId } = columns;
  // Beyond start and end the order only serves to bring duplicates together, and not to depend on the file's order.
  const difference = (a: number, b: number) =>
    starts[a] - starts[b] ||
    ends[a] - ends[b] ||
    correlationId[a] - correlationId[b] ||
    streamId[a] - streamId[b] ||
    deviceId[a] - deviceId[b] ||
    nameId[a] - nameId[b];
  const sorted = stableOrder(rows, (a, b) => difference(a, b) < 0);
  const order = sorted.filter((row, i) => i === 0 || difference(row, sorted[i - 1]) !== 0);
  const ops: DeviceOps = {
    count: order.length,
    startNs: gathered(starts, order),
    endNs: gathered(ends, order),
    nameId: gathered(nameId, order),
    kind: gathered(columns.kind, order),
    deviceId: gathered(deviceId, order),
    streamId: gathered(streamId, order),
    correlationId: gathered(correlationId, order),
    launchIndex: new Int32Array(order.length).fill(NO_INDEX),
    bytes: gathered(columns.bytes, order),
    gridBlocks: gathered(columns.gridBlocks, order),
    blockThreads: gathered(columns.blockThreads, order),
    collectiveIndex: gathered(columns.collectiveIndex, order),
  };
  return { ops, duplicates: sorted.length - order.length, dropped: columns.count - rows.length };
}

function buildHost(columns: HostColumns, origin: TimeOrigin): { events: HostEvents; dropped: number } {
  const starts = relativeStarts(columns, origin.originUs);
  const ends = endsOf(starts, columns.durationNs);
  const rows = plausibleRows(columns, origin);
  const order = stableOrder(
    rows,
    (a, b) => starts[a] < starts[b] || (starts[a] === starts[b] && ends[a] > ends[b]),
  );
  const events: HostEvents = {
    count: order.length,
    startNs: gathered(starts, order),
    endNs: gathered(ends, order),
    nameId: gathered(columns.nameId, order),
    kind: gathered(columns.kind, order),
    threadIndex: gathered(columns.threadIndex, order),
    correlationId: gathered(columns.correlationId, order),
    sequenceNumber: gathered(columns.sequenceNumber, order),
    inputDimsId: gathered(columns.inputDimsId, order),
    inputTypesId: gathered(columns.inputTypesId, order),
    inputValuesId: gathered(columns.inputValuesId, order),
    collectiveIndex: gathered(columns.collectiveIndex, order),
  };
  return { events, dropped: columns.count - rows.length };
}

function buildMemory(columns: MemoryColumns, origin: TimeOrigin): { events: MemoryEvents; dropped: number } {
  const times = relativeStarts(columns, origin.originUs);
  const rows = plausibleRows(columns, origin);
  const order = stableOrder(rows, (a, b) => times[a] < times[b]);
  const events: MemoryEvents = {
    count: order.length,
    timeNs: gathered(times, order),
    bytes: gathered(columns.bytes, order),
    totalAllocatedBytes: gathered(columns.totalAllocatedBytes, order),
    totalReservedBytes: gathered(columns.totalReservedBytes, order),
    deviceType: gathered(columns.deviceType, order),
  };
  return { events, dropped: columns.count - rows.length };
}
