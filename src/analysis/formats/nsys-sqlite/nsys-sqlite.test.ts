import { globalId, NSYS_SCHEMAS, NsysExport } from '../../../../test/builders/nsys-export';
import { readText, takersOf } from '../../../../test/builders/read-format';
import { type ProblemLog } from '../../timeline/problem';
import { DeviceOpKind, HostEventKind, type RankTimeline } from '../../timeline/rank-timeline';

async function read(file: NsysExport): Promise<{ timelines: readonly RankTimeline[]; problems: ProblemLog }> {
  const { content, problems } = await readText(file.bytes(), 'report.sqlite');
  if (content.kind !== 'timelines') throw new Error(content.kind);
  return { timelines: content.timelines, problems };
}

/** `name start–end` of each device operation, with the call that launched it. */
function deviceWork({ device, host, strings }: RankTimeline): string[] {
  return Array.from({ length: device.count }, (_, i) => {
    const launch = device.launchIndex[i];
    const by = launch < 0 ? '' : ` by ${strings.get(host.nameId[launch])}`;
    return `${strings.get(device.nameId[i])} ${device.startNs[i]}–${device.endNs[i]}${by}`;
  });
}

function hostWork({ host, strings }: RankTimeline, kind: number): string[] {
  return Array.from({ length: host.count }, (_, i) => i)
    .filter((i) => host.kind[i] === kind)
    .map((i) => `${strings.get(host.nameId[i])} ${host.startNs[i]}–${host.endNs[i]}`);
}

/** Two steps of a copy and a kernel, on a machine that says what it is. */
function smallRun(schema?: (typeof NSYS_SCHEMAS)[number], pageBytes?: number): NsysExport {
  const file = new NsysExport(schema, pageBytes)
    .row('TARGET_INFO_GPU', {
      id: 0,
      name: 'NVIDIA H100 80GB HBM3',
      smCount: 132,
      threadsPerWarp: 32,
      maxWarpsPerSm: 64,
    })
    .row('TARGET_INFO_SYSTEM_ENV', { name: 'CudaDriverVersion', value: '13000' });
  for (const step of [0, 1]) {
    const at = 1_000_000 + step * 100_000;
    file
      .range(`step ${step + 7}`, at, at + 90_000)
      .range(`aten::mm, seq = ${step + 3}, op_id = 9, sizes = [[2, 3], [3, 4]]`, at + 1000, at + 9000)
      .call('cudaMemcpyAsync_v3020', { start: at + 100, end: at + 900, correlationId: 10 * step + 1 })
      .copy({ start: at + 1000, end: at + 2000, correlationId: 10 * step + 1 })
      .call('cudaLaunchKernel_v7000', { start: at + 2000, end: at + 3000, correlationId: 10 * step + 2 })
      .kernel('gemm', { start: at + 4000, end: at + 80_000, correlationId: 10 * step + 2 });
  }
  return file;
}

describe.each(NSYS_SCHEMAS)('an export of schema %s', (schema) => {
  test('gives the timeline that a kineto trace would', async () => {
    const { timelines, problems } = await read(smallRun(schema));
    expect(timelines).toHaveLength(1);
    const [timeline] = timelines;
    expect(deviceWork(timeline)).toEqual([
      'Memcpy HtoD (Pageable -> Device) 1000–2000 by cudaMemcpyAsync',
      'void gemm<float>(int) 4000–80000 by cudaLaunchKernel',
      'Memcpy HtoD (Pageable -> Device) 101000–102000 by cudaMemcpyAsync',
      'void gemm<float>(int) 104000–180000 by cudaLaunchKernel',
    ]);
    const { device, host, strings, metadata } = timeline;
    expect([...device.kind]).toEqual([
      DeviceOpKind.memcpy,
      DeviceOpKind.kernel,
      DeviceOpKind.memcpy,
      DeviceOpKind.kernel,
    ]);
    expect([...device.bytes]).toEqual([4096, NaN, 4096, NaN]);
    expect([...device.gridBlocks]).toEqual([NaN, 8, NaN, 8]);
    expect([...device.blockThreads]).toEqual([NaN, 128, NaN, 128]);
    expect(hostWork(timeline, HostEventKind.annotation)).toEqual([
      'ProfilerStep#7 0–90000',
      'ProfilerStep#8 100000–190000',
    ]);
    expect(hostWork(timeline, HostEventKind.op)).toEqual(['aten::mm 1000–9000', 'aten::mm 101000–109000']);
    const ops = [...host.kind.keys()].filter((i) => host.kind[i] === HostEventKind.op);
    expect(ops.map((i) => host.sequenceNumber[i])).toEqual([3, 4]);
    expect(ops.map((i) => strings.get(host.inputDimsId[i]))).toEqual([
      '[[2, 3], [3, 4]]',
      '[[2, 3], [3, 4]]',
    ]);
    expect(metadata).toMatchObject({
      recordShapes: true,
      cudaDriverVersion: '13000',
      devices: [
        { id: 0, name: 'NVIDIA H100 80GB HBM3', smCount: 132, maxThreadsPerSm: 2048, totalMemoryBytes: null },
      ],
    });
    expect(problems.list()).toEqual([]);
  });
});

test.each([512, 1024, 65_536])('pages of %i bytes read the same', async (pageBytes) => {
  const { timelines } = await read(smallRun('3.25.0', pageBytes));
  expect(deviceWork(timelines[0])).toHaveLength(4);
});

test('each process is a rank, numbered in the order of their ids, on the clock of the session', async () => {
  const file = new NsysExport();
  file.row('TARGET_INFO_SESSION_START_TIME', { utcEpochNs: 1_700_000_000_000_000_000n, systemClockNs: 2000 });
  for (const [processId, start] of [
    [102, 5000],
    [101, 9000],
  ])
    file
      .call('cudaLaunchKernel_v7000', {
        start,
        end: start + 10,
        correlationId: 5,
        globalTid: globalId(processId, 3),
      })
      .kernel(`k${processId}`, {
        start: start + 20,
        end: start + 30,
        correlationId: 5,
        globalPid: globalId(processId),
      });
  file.row('ThreadNames', { nameId: file.string('main'), globalTid: globalId(102, 3) });
  const { timelines } = await read(file);
  expect(timelines.map(deviceWork)).toEqual([
    ['void k101<float>(int) 20–30 by cudaLaunchKernel'],
    ['void k102<float>(int) 20–30 by cudaLaunchKernel'],
  ]);
  expect(timelines.map(({ originNs }) => originNs)).toEqual([
    1_700_000_000_000_007_000n,
    1_700_000_000_000_003_000n,
  ]);
  expect(timelines[1].threads).toEqual([{ processId: '102', threadId: '3', name: 'main' }]);
});

test('each device of a process is a rank; stray work stays with the busiest', async () => {
  const file = new NsysExport();
  for (const [deviceId, end] of [
    [3, 2000],
    [1, 1900],
    [0, 1001],
  ])
    file.kernel(`on${deviceId}`, { start: 1000, end, deviceId });
  const { timelines } = await read(file);
  expect(timelines.map((timeline) => deviceWork(timeline))).toEqual([
    ['void on1<float>(int) 0–900'],
    ['void on0<float>(int) 0–1', 'void on3<float>(int) 0–1000'],
  ]);
  expect(timelines[0].host).toBe(timelines[1].host);
});

test('an MPI says the rank; what processes without GPU work do is not used', async () => {
  const file = smallRun()
    .range('MPI Rank 3', 1, null, { eventType: 39 })
    .range('collate', 1_000_000, 1_000_500, { globalTid: globalId(200, 200) });
  const { timelines, problems } = await read(file);
  expect(timelines.map(({ metadata }) => metadata.rank)).toEqual([3]);
  expect(problems.count('process-without-gpu')).toBe(1);
});

test('a graph of one block, and the kernels of a graph recorded one by one, belong to the call that launched it', async () => {
  const file = new NsysExport()
    .call('cudaGraphLaunch_v10000', { start: 0, end: 10, correlationId: 1 })
    .row('CUPTI_ACTIVITY_KIND_GRAPH_TRACE', {
      start: 20,
      end: 90,
      deviceId: 0,
      streamId: 7,
      correlationId: 1,
      globalPid: globalId(100),
      graphId: 4,
    })
    .call('cudaGraphLaunch_v10000', { start: 100, end: 110, correlationId: 2 })
    .kernel('a', { start: 120, end: 130, correlationId: 2, graphNodeId: 1 })
    .kernel('b', { start: 130, end: 140, correlationId: 2, graphNodeId: 2 });
  const { timelines, problems } = await read(file);
  expect(deviceWork(timelines[0])).toEqual([
    'CUDA graph 4 20–90 by cudaGraphLaunch',
    'void a<float>(int) 120–130 by cudaGraphLaunch',
    'void b<float>(int) 130–140 by cudaGraphLaunch',
  ]);
  expect(problems.count('graph-opaque')).toBe(1);
});

test('copies between all kinds of memory have the names of other profilers', async () => {
  const file = new NsysExport()
    .copy({ start: 0, end: 1, copyKind: 2, srcKind: 2, dstKind: 1 })
    .copy({ start: 1, end: 2, copyKind: 10, srcKind: null, dstKind: null })
    .copy({ start: 2, end: 3, copyKind: 99, srcKind: -1, dstKind: 2 })
    .row('CUPTI_ACTIVITY_KIND_MEMSET', {
      start: 3,
      end: 4,
      deviceId: 0,
      bytes: 8,
      memKind: 2,
      globalPid: globalId(100),
    });
  const { timelines } = await read(file);
  expect(deviceWork(timelines[0])).toEqual([
    'Memcpy DtoH (Device -> Pinned) 0–1',
    'Memcpy PtoP 1–2',
    'Memcpy Unknown 2–3',
    'Memset (Device) 3–4',
  ]);
});

test('no other format takes an export', () => {
  expect(takersOf(smallRun().bytes())).toEqual(['nsys-sqlite']);
});

test('counters sampled of the devices are those of a monitor, as means over 10 ms', async () => {
  const file = smallRun().row('TARGET_INFO_SESSION_START_TIME', { utcEpochNs: 1_700_000_000_000_000_000n });
  const type = 0x0102_0300;
  const names = [
    'SMs Active [Throughput %]',
    'DRAM Read Bandwidth [Throughput %]',
    'DRAM Write Bandwidth [Throughput %]',
    'SYS Clock',
  ];
  names.forEach((metricName, metricId) =>
    file.row('TARGET_INFO_GPU_METRICS', { typeId: type + 1, metricId, metricName }),
  );
  for (const [ms, metricId, value] of [
    [0, 0, 80],
    [5, 0, 40],
    [5, 1, 10],
    [5, 2, 30],
    [5, 3, 1_980],
    [12, 0, 20],
    [13, 0, 101],
  ])
    file.row('GPU_METRICS', { timestamp: ms * 1_000_000, typeId: type + 1, metricId, value });
  const { content, problems } = await readText(file.bytes());
  if (content.kind !== 'timelines') throw new Error(content.kind);
  expect(content.monitor).toEqual({
    tool: 'nsys-gpu-metrics',
    devices: [
      {
        id: '1',
        index: 1,
        name: null,
        sampleCount: 2,
        timeMs: Float64Array.of(1_700_000_000_000, 1_700_000_000_010),
        readings: { smActive: Float64Array.of(0.6, 0.2), dramActive: Float64Array.of(0.4, NaN) },
      },
    ],
  });
  expect(problems.count('malformed-event')).toBe(1);
});
