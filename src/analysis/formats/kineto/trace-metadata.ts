import { type DeviceProperties, type TraceMetadata } from '../../timeline/rank-timeline';
import { type MemberSink } from './trace-envelope';

/** Members that only kineto writes: with one of them, a file without events is still a trace. */
const KINETO_MEMBERS = new Set([
  'schemaVersion',
  'deviceProperties',
  'distributedInfo',
  'baseTimeNanoseconds',
  'trace_id',
]);

/** The metadata of a trace before anything of it has been read. */
export function emptyMetadata(): TraceMetadata {
  return {
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
}

/** Reads the members beside the events. Values that cannot be parsed are counted, not thrown. */
export class TraceMetadataReader implements MemberSink {
  readonly metadata = emptyMetadata();
  /** True when the file calls itself a kineto trace. */
  isKineto = false;
  unreadable = 0;
  unreadableExample: string | undefined;
  private readonly decoder = new TextDecoder('utf-8');

  take(key: string, bytes: Uint8Array, start: number, end: number): void {
    if (KINETO_MEMBERS.has(key)) this.isKineto = true;
    const read = READERS.get(key);
    if (!read) return;
    const text = this.decoder.decode(bytes.subarray(start, end));
    if (key === 'baseTimeNanoseconds') this.metadata.baseTimeNs = baseTime(text);
    else this.parse(key, text, read);
  }

  private parse(key: string, text: string, read: Reader): void {
    try {
      read(this.metadata, JSON.parse(text) as unknown);
    } catch {
      this.unreadable++;
      this.unreadableExample ??= `"${key}": ${text.slice(0, 80)}`;
    }
  }
}

type Reader = (metadata: TraceMetadata, value: unknown) => void;

const READERS = new Map<string, Reader>([
  ['baseTimeNanoseconds', () => undefined],
  ['deviceProperties', (metadata, value) => void (metadata.devices = devicesOf(value))],
  ['computeProperties', (metadata, value) => void (metadata.devices = devicesOf(value))],
  ['distributedInfo', readDistributedInfo],
  ['record_shapes', (metadata, value) => void (metadata.recordShapes = isSet(value))],
  ['with_stack', (metadata, value) => void (metadata.withStack = isSet(value))],
  ['with_flops', (metadata, value) => void (metadata.withFlops = isSet(value))],
  ['cuda_runtime_version', (metadata, value) => void (metadata.cudaRuntimeVersion = textOf(value))],
  ['cuda_driver_version', (metadata, value) => void (metadata.cudaDriverVersion = textOf(value))],
  ['hip_runtime_version', (metadata, value) => void (metadata.cudaRuntimeVersion = textOf(value))],
  ['hip_driver_version', (metadata, value) => void (metadata.cudaDriverVersion = textOf(value))],
]);

function readDistributedInfo(metadata: TraceMetadata, value: unknown): void {
  metadata.rank = atMost(MAX_RANKS, countOf(field(value, 'rank')));
  metadata.worldSize = atMost(MAX_RANKS, countOf(field(value, 'world_size')));
  metadata.backend = textOf(field(value, 'backend'));
  metadata.ncclVersion = textOf(field(value, 'nccl_version'));
}

function devicesOf(value: unknown): DeviceProperties[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((entry) => typeof entry === 'object' && entry !== null)
    .map((entry: unknown, index) => ({
      id: countOf(field(entry, 'id')) ?? index,
      name: textOf(field(entry, 'name')) ?? '',
      totalMemoryBytes: countOf(field(entry, 'totalGlobalMem')),
      smCount: countOf(field(entry, 'numSms')),
      computeMajor: countOf(field(entry, 'computeMajor')),
      computeMinor: countOf(field(entry, 'computeMinor')),
      maxThreadsPerSm: countOf(field(entry, 'maxThreadsPerMultiprocessor')),
      regsPerSm: countOf(field(entry, 'regsPerMultiprocessor')),
      sharedMemPerSmBytes: countOf(
        field(entry, 'sharedMemPerMultiprocessor') ?? field(entry, 'maxSharedMemoryPerMultiProcessor'),
      ),
      warpSize: countOf(field(entry, 'warpSize')),
    }));
}

/** An own field of an object, whatever its prototype has. */
function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** More ranks than any machine has; what is above is no rank. */
const MAX_RANKS = 10_000_000;

function atMost(limit: number, value: number | null): number | null {
  return value !== null && value <= limit ? value : null;
}

/** A whole number from zero up, written as a number or as text; null otherwise. */
function countOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
}

function isSet(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** Digits as they stand, because epoch nanoseconds do not fit a double; 0 for anything that is no time. */
function baseTime(text: string): bigint {
  const digits = /^"?(\d{1,19})"?$/.exec(text.trim());
  return digits ? BigInt(digits[1]) : 0n;
}
