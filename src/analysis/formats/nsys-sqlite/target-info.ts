import { type DeviceProperties, type TraceMetadata } from '../../timeline/rank-timeline';
import { slotsOf, Table } from './export-tables';
import { type NsysReader, scanTable } from './nsys-reader';
import { type Row } from './sqlite/row';

const GPU = [
  'id',
  'name',
  'totalMemory',
  'smCount',
  'computeMajor',
  'computeMinor',
  'maxWarpsPerSm',
  'threadsPerWarp',
  'maxRegistersPerSm',
  'maxShmemPerSm',
] as const;
const gpu = slotsOf(GPU);
/** More devices than a host has. */
const MAX_DEVICES = 256;

/** What the export says of the machine: its GPUs, its driver, and when the recording began. */
export function readTargetInfo(reader: NsysReader): TraceMetadata {
  const metadata: TraceMetadata = {
    baseTimeNs: 0n,
    devices: [],
    rank: null,
    worldSize: null,
    backend: null,
    ncclVersion: null,
    cudaRuntimeVersion: null,
    cudaDriverVersion: null,
    recordShapes: false,
    withStack: false,
    withFlops: false,
  };
  const decoder = new TextDecoder();
  const text = (row: Row, slot: number): string => decoder.decode(row.text(slot) ?? new Uint8Array(0));
  scanTable(reader, Table.gpus, GPU, (row) => {
    if (metadata.devices.length < MAX_DEVICES && !row.isAbsent(gpu.id))
      metadata.devices.push(deviceOf(row, text(row, gpu.name)));
  });
  scanTable(reader, Table.sessionStart, ['utcEpochNs', 'systemClockNs'], (row) => {
    // Times count from the start of the session, or, where the file says what that clock showed then, on the host's clock.
    metadata.baseTimeNs = (row.bigint(0) ?? 0n) - (row.bigint(1) ?? 0n);
  });
  scanTable(reader, Table.environment, ['name', 'value'], (row) => {
    if (text(row, 0) === 'CudaDriverVersion') metadata.cudaDriverVersion = text(row, 1).slice(0, 64) || null;
  });
  return metadata;
}

function deviceOf(row: Row, name: string): DeviceProperties {
  const known = (slot: number): number | null => {
    const value = row.integer(slot);
    return value > 0 ? value : null;
  };
  const [warps, lanes] = [known(gpu.maxWarpsPerSm), known(gpu.threadsPerWarp)];
  return {
    id: row.integer(gpu.id),
    name: name.slice(0, 256),
    totalMemoryBytes: known(gpu.totalMemory),
    smCount: known(gpu.smCount),
    computeMajor: known(gpu.computeMajor),
    computeMinor: known(gpu.computeMajor) === null ? null : row.integer(gpu.computeMinor),
    maxThreadsPerSm: warps === null || lanes === null ? null : warps * lanes,
    regsPerSm: known(gpu.maxRegistersPerSm),
    sharedMemPerSmBytes: known(gpu.maxShmemPerSm),
    warpSize: lanes,
  };
}
