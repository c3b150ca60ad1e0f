import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import { kinetoFormat } from '../../src/analysis/formats/kineto';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { DeviceOpKind, HostEventKind, type RankTimeline } from '../../src/analysis/timeline/rank-timeline';
import { CORPUS, withCorpus } from './corpus-folder';

/** Traces from public repositories. */
const PUBLIC = join(CORPUS, 'public');
const FOLDERS = ['kineto', 'kineto-broken', 'kineto-multirank'].map((folder) => join(PUBLIC, folder));
const LIMITS = { maxEvents: 20_000_000, maxEventBytes: 1 << 22, maxStringBytes: 1 << 28 };

const HOST_KINDS: Record<string, number> = {
  cpu_op: HostEventKind.op,
  Operator: HostEventKind.op,
  user_annotation: HostEventKind.annotation,
  cuda_runtime: HostEventKind.runtime,
  cuda_driver: HostEventKind.runtime,
  Runtime: HostEventKind.runtime,
  python_function: HostEventKind.python,
  overhead: HostEventKind.overhead,
};
const DEVICE_KINDS: Record<string, number> = {
  kernel: DeviceOpKind.kernel,
  Kernel: DeviceOpKind.kernel,
  gpu_memcpy: DeviceOpKind.memcpy,
  Memcpy: DeviceOpKind.memcpy,
  gpu_memset: DeviceOpKind.memset,
  Memset: DeviceOpKind.memset,
};
/** Ranges that had the category of operators in 2021. */
const RANGE_NAMES =
  /^(ProfilerStep#|enumerate\(DataLoader\)|Optimizer\.|(Distributed)?DataParallel\.forward)/;

interface JsonEvent {
  ph?: string;
  cat?: string;
  name?: string;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    return /\.json(\.gz)?$/.test(entry.name) ? [path] : [];
  });
}

/** The events as JSON.parse sees them, or null when the file is not valid JSON. */
function eventsByJsonParse(path: string): JsonEvent[] | null {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  try {
    const trace = JSON.parse(text) as JsonEvent[] | { traceEvents: JsonEvent[] };
    return Array.isArray(trace) ? trace : trace.traceEvents;
  } catch {
    return null;
  }
}

type Counts = Record<string, number>;

function countedByCategory(events: JsonEvent[]): Counts {
  const counts: Counts = {};
  const count = (key: string) => (counts[key] = (counts[key] ?? 0) + 1);
  for (const { ph, cat = '', name = '' } of events) {
    if (ph === 'i' && name === '[memory]') count('memory');
    if (ph !== 'X') continue;
    if (cat in HOST_KINDS) {
      const isRange = cat === 'Operator' && RANGE_NAMES.test(name);
      count(`host ${isRange ? HostEventKind.annotation : HOST_KINDS[cat]}`);
    } else if (cat in DEVICE_KINDS) {
      const isCopy = name.startsWith('__amd_rocclr_copyBuffer');
      const isFill = name.startsWith('__amd_rocclr_fillBuffer');
      count(`device ${isCopy ? DeviceOpKind.memcpy : isFill ? DeviceOpKind.memset : DEVICE_KINDS[cat]}`);
    }
  }
  return counts;
}

function countedByReader({ host, device, memory }: RankTimeline): Counts {
  const counts: Counts = {};
  const count = (key: string) => (counts[key] = (counts[key] ?? 0) + 1);
  host.kind.forEach((kind) => count(`host ${kind}`));
  device.kind.forEach((kind) => count(`device ${kind}`));
  if (memory.count > 0) counts.memory = memory.count;
  return counts;
}

async function read(path: string): Promise<{ timeline: RankTimeline; problems: ProblemLog }> {
  const problems = new ProblemLog();
  const file = createReadStream(path);
  const content = await kinetoFormat.read(path.endsWith('.gz') ? file.pipe(createGunzip()) : file, {
    path,
    problems,
    limits: LIMITS,
  });
  if (content.kind !== 'timelines') throw new Error(`${path} is no timeline`);
  return { timeline: content.timelines[0], problems };
}

withCorpus(() => {
  const files = FOLDERS.flatMap(filesUnder).map((path) => relative(PUBLIC, path));

  it('finds the public traces', () => {
    expect(files.length).toBeGreaterThan(50);
  });

  it.each(files)('agrees with JSON.parse on %s', async (file) => {
    const path = join(PUBLIC, file);
    const { timeline, problems } = await read(path);
    const events = eventsByJsonParse(path);
    if (!events) {
      expect(timeline.eventsRead).toBeGreaterThan(0);
      return;
    }
    expect(timeline.eventsRead).toBe(events.length);
    expect(countedByReader(timeline)).toEqual(countedByCategory(events));
    expect(timeline.truncated).toBe(false);
    for (const kind of ['malformed-event', 'missing-field', 'invalid-text', 'implausible-time'] as const) {
      expect([kind, problems.count(kind)]).toEqual([kind, 0]);
    }
  });
});
