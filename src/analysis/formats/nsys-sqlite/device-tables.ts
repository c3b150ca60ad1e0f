import { DeviceOpKind, NO_INDEX } from '../../timeline/rank-timeline';
import { CopyNames } from './copy-names';
import { slotsOf, Table } from './export-tables';
import { GlobalId } from './global-id';
import { type NsysReader, scanTable, toId } from './nsys-reader';
import { RowTimes } from './row-times';
import { type Row } from './sqlite/row';

/** Columns that all tables of device work have, in the slots that they have in all of them. */
const COMMON = ['start', 'end', 'globalPid', 'deviceId', 'streamId', 'correlationId'] as const;
const KERNEL = [
  ...COMMON,
  'demangledName',
  'shortName',
  'gridX',
  'gridY',
  'gridZ',
  'blockX',
  'blockY',
  'blockZ',
] as const;
const MEMCPY = [...COMMON, 'bytes', 'copyKind', 'srcKind', 'dstKind'] as const;
const MEMSET = [...COMMON, 'bytes', 'memKind'] as const;
const GRAPH = [...COMMON, 'graphId'] as const;

const common = slotsOf(COMMON);
const kernel = slotsOf(KERNEL);
const memcpy = slotsOf(MEMCPY);
const memset = slotsOf(MEMSET);
const graph = slotsOf(GRAPH);

/** What a row says beside the columns that all tables of device work have. */
interface Op {
  kind: number;
  nameId: number;
  bytes: number;
  gridBlocks: number;
  blockThreads: number;
}

const NOTHING_MORE = { bytes: NaN, gridBlocks: NaN, blockThreads: NaN };

/** Reads kernels, copies, memsets, and graphs that were recorded as one block. */
export function readDeviceTables(reader: NsysReader): void {
  const { names, tally } = reader;
  const copyNames = new CopyNames(names);
  readOps(reader, Table.kernel, KERNEL, (row) => ({
    kind: DeviceOpKind.kernel,
    nameId: kernelName(reader, row),
    bytes: NaN,
    gridBlocks: row.integer(kernel.gridX) * row.integer(kernel.gridY) * row.integer(kernel.gridZ),
    blockThreads: row.integer(kernel.blockX) * row.integer(kernel.blockY) * row.integer(kernel.blockZ),
  }));
  readOps(reader, Table.memcpy, MEMCPY, (row) => ({
    ...NOTHING_MORE,
    kind: DeviceOpKind.memcpy,
    nameId: copyNames.copy(
      row.integer(memcpy.copyKind),
      row.integer(memcpy.srcKind),
      row.integer(memcpy.dstKind),
    ),
    bytes: notNegative(row.integer(memcpy.bytes)),
  }));
  readOps(reader, Table.memset, MEMSET, (row) => ({
    ...NOTHING_MORE,
    kind: DeviceOpKind.memset,
    nameId: copyNames.set(row.integer(memset.memKind)),
    bytes: notNegative(row.integer(memset.bytes)),
  }));
  readOps(reader, Table.graph, GRAPH, (row) => {
    tally.opaqueGraphs++;
    const id = row.integer(graph.graphId);
    const nameId = names.intern(Number.isNaN(id) ? 'CUDA graph' : `CUDA graph ${id}`);
    return { ...NOTHING_MORE, kind: DeviceOpKind.kernel, nameId };
  });
}

function readOps(
  reader: NsysReader,
  table: string,
  columns: readonly string[],
  opOf: (row: Row) => Op,
): void {
  const { tally, processes } = reader;
  const times = new RowTimes(table, tally);
  const id = new GlobalId();
  scanTable(reader, table, columns, (row) => {
    if (!times.read(row)) return;
    const deviceId = row.integer(common.deviceId);
    if (Number.isNaN(deviceId)) {
      tally.rejects(row, common.deviceId, `${table}.deviceId`);
      return;
    }
    if (!id.read(row, common.globalPid)) id.process = 0;
    const device = processes.add(id.process)?.device;
    if (!device) {
      tally.overLimit++;
      return;
    }
    if (!tally.keep()) return;
    const op = opOf(row);
    const at = device.addRow();
    device.startUs[at] = times.startUs;
    device.startNs[at] = times.startNs;
    device.durationNs[at] = times.durationNs;
    device.nameId[at] = op.nameId;
    device.kind[at] = op.kind;
    device.deviceId[at] = deviceId;
    device.streamId[at] = row.isAbsent(common.streamId) ? -1 : row.integer(common.streamId);
    device.correlationId[at] = toId(row.integer(common.correlationId));
    device.bytes[at] = op.bytes;
    device.gridBlocks[at] = op.gridBlocks;
    device.blockThreads[at] = op.blockThreads;
    device.collectiveIndex[at] = NO_INDEX;
  });
}

/** With its template arguments, as other profilers write it; files cut by hand may lack that name. */
function kernelName({ names, tally }: NsysReader, row: Row): number {
  for (const slot of [kernel.demangledName, kernel.shortName]) {
    const nameId = names.nameId(row.integer(slot));
    if (nameId >= 0) return nameId;
  }
  tally.unknownNames++;
  return names.unknownId;
}

function notNegative(bytes: number): number {
  return bytes >= 0 ? bytes : NaN;
}
