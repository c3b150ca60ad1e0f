import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Busy times of one device in ns, as sums over painted time: the slow, obvious way, sharing nothing with the product. */
export interface NaiveBreakdown {
  computeNs: bigint;
  exposedCommunicationNs: bigint;
  exposedMemcpyNs: bigint;
  idleNs: bigint;
}

interface DeviceEvent {
  kind: 'compute' | 'communication' | 'memory';
  startNs: bigint;
  endNs: bigint;
}

interface RawEvent {
  ph?: string;
  cat?: string;
  name?: string;
  pid?: number | string;
  ts?: string;
  dur?: string;
  args?: { device?: number };
}

const MEMORY = /^(gpu_)?mem(cpy|set)$/i;
const COMMUNICATION = /^(ncclkernel|nccldevkernel|rccl)/i;

/** Reads the whole file at once. Times are kept as text, since an epoch in µs with three decimals does not fit a double. */
export function readEvents(file: string): RawEvent[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const quoted = text.replace(/"(ts|dur)":\s*(-?[\d.]+)/g, '"$1": "$2"');
  const document = JSON.parse(quoted) as { traceEvents: RawEvent[] } | RawEvent[];
  return Array.isArray(document) ? document : document.traceEvents;
}

/** Breakdown of [from, to) for the device that is busiest. */
export function naiveBreakdown(events: readonly RawEvent[], fromNs: bigint, toNs: bigint): NaiveBreakdown {
  const byDevice = new Map<string, DeviceEvent[]>();
  for (const event of events) {
    const kind = kindOf(event);
    if (!kind) continue;
    const device = String(event.args?.device ?? event.pid);
    const startNs = toNanoseconds(event.ts ?? '0');
    const list = byDevice.get(device) ?? [];
    list.push({ kind, startNs, endNs: startNs + toNanoseconds(event.dur ?? '0') });
    byDevice.set(device, list);
  }
  const length = (list: DeviceEvent[]): bigint => list.reduce((sum, e) => sum + e.endNs - e.startNs, 0n);
  const [busiest] = [...byDevice.values()].sort((a, b) => Number(length(b) - length(a)));
  return paint(busiest ?? [], fromNs, toNs);
}

/** Cuts time at every start and end, and gives each piece to the highest kind that covers it. */
function paint(events: readonly DeviceEvent[], fromNs: bigint, toNs: bigint): NaiveBreakdown {
  const edges: { atNs: bigint; kind: DeviceEvent['kind']; change: 1 | -1 }[] = [];
  const clip = (ns: bigint): bigint => (ns < fromNs ? fromNs : ns > toNs ? toNs : ns);
  for (const { kind, startNs, endNs } of events) {
    edges.push({ atNs: clip(startNs), kind, change: 1 }, { atNs: clip(endNs), kind, change: -1 });
  }
  edges.sort((a, b) => (a.atNs < b.atNs ? -1 : a.atNs > b.atNs ? 1 : 0));
  const open = { compute: 0, communication: 0, memory: 0 };
  const result = { computeNs: 0n, exposedCommunicationNs: 0n, exposedMemcpyNs: 0n, idleNs: 0n };
  let atNs = fromNs;
  for (const edge of [...edges, { atNs: toNs, kind: 'memory' as const, change: 1 as const }]) {
    const pieceNs = edge.atNs - atNs;
    if (open.compute > 0) result.computeNs += pieceNs;
    else if (open.communication > 0) result.exposedCommunicationNs += pieceNs;
    else if (open.memory > 0) result.exposedMemcpyNs += pieceNs;
    else result.idleNs += pieceNs;
    atNs = edge.atNs;
    open[edge.kind] += edge.change;
  }
  return result;
}

function kindOf({ ph, cat = '', name = '' }: RawEvent): DeviceEvent['kind'] | null {
  if (ph !== 'X') return null;
  if (MEMORY.test(cat)) return 'memory';
  if (cat.toLowerCase() !== 'kernel') return null;
  return COMMUNICATION.test(name) ? 'communication' : 'compute';
}

/** Microseconds as text to ns, exactly; digits beyond the third are not there in these files. */
export function toNanoseconds(us: string): bigint {
  const [whole, fraction = ''] = us.split('.');
  return BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0').slice(0, 3));
}
