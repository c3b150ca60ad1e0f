import { FixedStringTable } from '../../src/analysis/timeline/string-table';
import {
  type Collective,
  DeviceOpKind,
  type DeviceOps,
  HostEventKind,
  type HostEvents,
  NO_ID,
  NO_INDEX,
  type RankTimeline,
} from '../../src/analysis/timeline/rank-timeline';

/**
 * Draws a timeline as text: one row per track, one column per `unitNs`. A run of one letter is one event. Letters tie a
 * device operation to its launch: `a` in row `launch` launches `a` in row `kernel`.
 *
 * ```
 * step    1.........2.........     step markers: a digit starts one, dots go on
 * load    ll                       data loader
 * op        oooooo                 framework operator
 * launch    a  b                   cudaLaunchKernel
 * sync            ss               cudaStreamSynchronize
 * alloc                            cudaMalloc
 * kernel     aaa bbb               compute kernel, stream 7
 * frame, tokenise                  Python frames: of the program, of a tokeniser
 * other                            compute kernel, stream 8
 * comm                             ncclDevKernel_AllReduce, stream 9
 * h2d, h2dp, d2d                   copies: pinned, pageable, on the device
 * ```
 */
export function drawTimeline(drawing: string, options: DrawOptions = {}): RankTimeline {
  const unitNs = options.unitNs ?? DEFAULT_UNIT_NS;
  const strings = new FixedStringTable();
  const host: HostRow[] = [];
  const device: DeviceRow[] = [];
  for (const { track, cells } of parseRows(drawing)) {
    for (const { letter, from, to } of track === 'step' ? stepRuns(cells) : letterRuns(cells)) {
      const times = { startNs: from * unitNs, endNs: to * unitNs };
      if (track in HOST_TRACKS) {
        const { kind, name } = HOST_TRACKS[track];
        const correlationId = track === 'launch' ? letterId(letter) : NO_ID;
        host.push({ ...times, kind, name: name.replace('*', letter), correlationId });
      } else if (track in DEVICE_TRACKS) {
        device.push({ ...times, ...DEVICE_TRACKS[track], correlationId: letterId(letter) });
      } else throw new Error(`No track "${track}".`);
    }
  }
  return assemble(host, device, strings, options);
}

/** Ten µs: the usual launch latency, so that one column between a launch and its kernel is the launch's own. */
export const DEFAULT_UNIT_NS = 10_000;

export interface DrawOptions {
  unitNs?: number;
  rank?: number;
  worldSize?: number;
  originNs?: bigint;
  /** Arguments of the n-th collective of row `comm`. */
  collectives?: Partial<Collective>[];
}

interface HostRow {
  startNs: number;
  endNs: number;
  kind: number;
  name: string;
  correlationId: number;
}

interface DeviceRow {
  startNs: number;
  endNs: number;
  kind: number;
  name: string;
  stream: number;
  correlationId: number;
}

const HOST_TRACKS: Readonly<Record<string, { kind: number; name: string }>> = {
  step: { kind: HostEventKind.annotation, name: 'ProfilerStep#*' },
  frame: { kind: HostEventKind.python, name: 'train.py(7): frame_*' },
  tokenise: { kind: HostEventKind.python, name: 'tokenizers/__init__.py(9): encode_batch' },
  load: {
    kind: HostEventKind.annotation,
    name: 'enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__',
  },
  op: { kind: HostEventKind.op, name: 'aten::linear' },
  launch: { kind: HostEventKind.runtime, name: 'cudaLaunchKernel' },
  sync: { kind: HostEventKind.runtime, name: 'cudaStreamSynchronize' },
  alloc: { kind: HostEventKind.runtime, name: 'cudaMalloc' },
};

const DEVICE_TRACKS: Readonly<Record<string, { kind: number; name: string; stream: number }>> = {
  kernel: { kind: DeviceOpKind.kernel, name: 'sm90_xmma_gemm_bf16', stream: 7 },
  other: { kind: DeviceOpKind.kernel, name: 'vectorized_elementwise_kernel', stream: 8 },
  comm: { kind: DeviceOpKind.kernel, name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', stream: 9 },
  h2d: { kind: DeviceOpKind.memcpy, name: 'Memcpy HtoD (Pinned -> Device)', stream: 7 },
  h2dp: { kind: DeviceOpKind.memcpy, name: 'Memcpy HtoD (Pageable -> Device)', stream: 7 },
  d2d: { kind: DeviceOpKind.memcpy, name: 'Memcpy DtoD (Device -> Device)', stream: 7 },
};

export interface Row {
  track: string;
  cells: string;
}

/** Rows of a drawing; column 0 is where the first cell of any row stands. */
export function parseRows(drawing: string): Row[] {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '');
  const cellsAt = Math.min(...lines.map((line) => /^\s*\S+\s+(?=\S)/.exec(line)?.[0].length ?? Infinity));
  return lines.map((line) => ({ track: line.trim().split(/\s/)[0], cells: line.slice(cellsAt) }));
}

interface Run {
  letter: string;
  from: number;
  to: number;
}

function letterRuns(cells: string): Run[] {
  const runs: Run[] = [];
  for (let i = 0; i < cells.length; i++) {
    const last = runs.at(-1);
    if (cells[i] === ' ') continue;
    if (last && last.to === i && last.letter === cells[i]) last.to++;
    else runs.push({ letter: cells[i], from: i, to: i + 1 });
  }
  return runs;
}

function stepRuns(cells: string): Run[] {
  return [...cells.trimEnd().matchAll(/(\d)(\.*)/g)].map((m) => ({
    letter: m[1],
    from: m.index,
    to: m.index + m[0].length,
  }));
}

function letterId(letter: string): number {
  return letter.charCodeAt(0);
}

function assemble(
  host: HostRow[],
  device: DeviceRow[],
  strings: FixedStringTable,
  options: DrawOptions,
): RankTimeline {
  host.sort((a, b) => a.startNs - b.startNs || b.endNs - a.endNs);
  device.sort((a, b) => a.startNs - b.startNs || a.endNs - b.endNs);
  const collectives: Collective[] = [];
  const launchOf = new Map(host.map((event, i) => [event.correlationId, i]));
  const ops: DeviceOps = {
    count: device.length,
    startNs: Float64Array.from(device, (d) => d.startNs),
    endNs: Float64Array.from(device, (d) => d.endNs),
    nameId: Uint32Array.from(device, (d) => strings.intern(d.name)),
    kind: Uint8Array.from(device, (d) => d.kind),
    deviceId: new Int32Array(device.length),
    streamId: Int32Array.from(device, (d) => d.stream),
    correlationId: Uint32Array.from(device, (d) => d.correlationId),
    launchIndex: Int32Array.from(device, (d) => launchOf.get(d.correlationId) ?? NO_INDEX),
    bytes: new Float64Array(device.length).fill(NaN),
    gridBlocks: new Float64Array(device.length).fill(NaN),
    blockThreads: new Float64Array(device.length).fill(NaN),
    collectiveIndex: Int32Array.from(device, (d) => {
      const args = d.name.startsWith('nccl') ? options.collectives?.[collectives.length] : undefined;
      return args ? collectives.push({ ...NO_ARGUMENTS, ...args }) - 1 : NO_INDEX;
    }),
  };
  const events: HostEvents = {
    count: host.length,
    startNs: Float64Array.from(host, (h) => h.startNs),
    endNs: Float64Array.from(host, (h) => h.endNs),
    nameId: Uint32Array.from(host, (h) => strings.intern(h.name)),
    kind: Uint8Array.from(host, (h) => h.kind),
    threadIndex: new Uint16Array(host.length),
    correlationId: Uint32Array.from(host, (h) => h.correlationId),
    sequenceNumber: new Uint32Array(host.length).fill(NO_ID),
    inputDimsId: new Uint32Array(host.length),
    inputTypesId: new Uint32Array(host.length),
    inputValuesId: new Uint32Array(host.length),
    collectiveIndex: new Int32Array(host.length).fill(NO_INDEX),
  };
  const rank = options.rank ?? null;
  return {
    path: `rank${rank ?? 0}.json`,
    originNs: options.originNs ?? 0n,
    strings,
    device: ops,
    host: events,
    memory: NO_MEMORY,
    collectives,
    threads: [{ processId: '1', threadId: '1', name: 'python' }],
    metadata: {
      baseTimeNs: 0n,
      devices: [],
      rank,
      worldSize: options.worldSize ?? null,
      backend: null,
      ncclVersion: null,
      cudaRuntimeVersion: null,
      cudaDriverVersion: null,
      recordShapes: false,
      withStack: false,
      withFlops: false,
    },
    eventsRead: host.length + device.length,
    truncated: false,
  };
}

const NO_ARGUMENTS: Collective = {
  name: null,
  processGroup: null,
  processGroupRanks: null,
  groupSize: null,
  inElements: null,
  outElements: null,
  dtype: null,
  sequence: null,
  commsId: null,
};

const NO_MEMORY: RankTimeline['memory'] = {
  count: 0,
  timeNs: new Float64Array(0),
  bytes: new Float64Array(0),
  totalAllocatedBytes: new Float64Array(0),
  totalReservedBytes: new Float64Array(0),
  deviceType: new Uint8Array(0),
};
