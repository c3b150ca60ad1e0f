import { type ReadLimits } from '../../src/analysis/formats/artifact-format';
import { readKineto } from '../../src/analysis/formats/kineto/read-kineto';
import { ByteSourceErrorCode } from '../../src/analysis/timeline/input-refused';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { type RankTimeline } from '../../src/analysis/timeline/rank-timeline';

export const TEST_LIMITS: ReadLimits = { maxEvents: 10_000, maxEventBytes: 1 << 20, maxStringBytes: 1 << 22 };

export interface ReadOptions {
  limits?: Partial<ReadLimits>;
  /** Sizes of the chunks, used in turn; the whole text at once when absent. Scans after every chunk. */
  chunkSizes?: readonly number[];
  /** The source fails with INPUT_TRUNCATED after its last byte. */
  cutSource?: boolean;
}

/** A timeline read from text or bytes, with the problems that were counted. */
export async function readTrace(
  trace: string | Uint8Array,
  options: ReadOptions = {},
): Promise<{ timeline: RankTimeline; problems: ProblemLog }> {
  const problems = new ProblemLog();
  const context = { path: 'rank0.json', problems, limits: { ...TEST_LIMITS, ...options.limits } };
  const bytes = typeof trace === 'string' ? new TextEncoder().encode(trace) : trace;
  const sizes = options.chunkSizes ?? [Math.max(bytes.length, 1)];
  const timeline = await readKineto(chunksOf(bytes, sizes, options.cutSource ?? false), context, 1);
  return { timeline, problems };
}

async function* chunksOf(
  bytes: Uint8Array,
  sizes: readonly number[],
  cut: boolean,
): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length];
    yield bytes.slice(at, at + size);
    at += size;
  }
  if (cut) throw Object.assign(new Error('cut'), { code: ByteSourceErrorCode.truncated });
}

type EventParts = Record<string, unknown>;

/** Text of a complete host event; `parts` add to it or replace its fields. */
export function hostEvent(name: string, ts: number, dur: number, parts: EventParts = {}): string {
  return JSON.stringify({ ph: 'X', cat: 'cpu_op', name, pid: 10, tid: 11, ts, dur, ...parts });
}

/** Text of a kernel on device 0, stream 7. */
export function kernelEvent(
  name: string,
  ts: number,
  dur: number,
  correlation: number,
  parts: EventParts = {},
): string {
  const args = { device: 0, stream: 7, correlation, grid: [2, 3, 1], block: [128, 1, 1] };
  return JSON.stringify({ ph: 'X', cat: 'kernel', name, pid: 0, tid: 7, ts, dur, args, ...parts });
}

/** Text of a runtime call. */
export function runtimeEvent(
  name: string,
  ts: number,
  dur: number,
  correlation: number,
  parts: EventParts = {},
): string {
  const args = { cbid: 211, correlation };
  return JSON.stringify({ ph: 'X', cat: 'cuda_runtime', name, pid: 10, tid: 11, ts, dur, args, ...parts });
}

/** A trace of today's shape around texts of events. */
export function traceOf(events: readonly string[], head = '"schemaVersion": 1'): string {
  return `{${head}, "traceEvents": [${events.join(',\n')}], "traceName": "t.json"}`;
}

/** Names of the host events, in the order of the timeline. */
export function hostNames({ host, strings }: RankTimeline): string[] {
  return Array.from(host.nameId, (id) => strings.get(id));
}

/** Names of the device operations, in the order of the timeline. */
export function deviceNames({ device, strings }: RankTimeline): string[] {
  return Array.from(device.nameId, (id) => strings.get(id));
}
