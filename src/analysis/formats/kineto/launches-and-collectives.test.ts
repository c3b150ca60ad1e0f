import {
  deviceNames,
  hostEvent,
  hostNames,
  kernelEvent,
  readTrace,
  runtimeEvent,
  traceOf,
} from '../../../../test/builders/kineto-trace';
import { NO_ID, NO_INDEX } from '../../timeline/rank-timeline';

describe('launches', () => {
  it('gives every kernel of a graph the call that launched the graph', async () => {
    const { timeline, problems } = await readTrace(
      traceOf([
        kernelEvent('k2', 30, 5, 8),
        kernelEvent('k1', 20, 5, 8),
        kernelEvent('lost', 40, 5, 77),
        kernelEvent('no id', 50, 5, 0, { args: { stream: 7 } }),
        runtimeEvent('cudaGraphLaunch', 10, 5, 8),
      ]),
    );
    expect(deviceNames(timeline)).toEqual(['k1', 'k2', 'lost', 'no id']);
    expect(Array.from(timeline.device.launchIndex)).toEqual([0, 0, NO_INDEX, NO_INDEX]);
    expect(timeline.device.correlationId[3]).toBe(NO_ID);
    expect(problems.count('launch-missing')).toBe(2);
  });

  it('prefers the call that launches, then the one around the other', async () => {
    const { timeline } = await readTrace(
      traceOf([
        runtimeEvent('cuCtxGetCurrent', 1, 1, 5, { cat: 'cuda_driver' }),
        runtimeEvent('cuLaunchKernel', 3, 2, 5, { cat: 'cuda_driver' }),
        runtimeEvent('cudaLaunchKernel', 2, 4, 5),
        runtimeEvent('cudaEventRecord', 9, 1, 6),
        kernelEvent('a', 10, 1, 5),
        kernelEvent('b', 12, 1, 6),
        hostEvent('aten::mm', 0, 20, { args: { correlation: 5 } }),
      ]),
    );
    const names = hostNames(timeline);
    expect(Array.from(timeline.device.launchIndex, (row) => names[row])).toEqual([
      'cudaLaunchKernel',
      'cudaEventRecord',
    ]);
  });

  it('counts kernels that start before their launch', async () => {
    const { problems } = await readTrace(
      traceOf([
        runtimeEvent('cudaLaunchKernel', 10, 5, 8),
        kernelEvent('early', 9.999, 1, 8),
        kernelEvent('same', 10, 1, 8),
      ]),
    );
    expect(problems.count('kernel-before-launch')).toBe(1);
  });

  it('counts exact duplicates once and keeps everything that differs', async () => {
    const { timeline, problems } = await readTrace(
      traceOf([
        kernelEvent('k', 1, 2, 5),
        kernelEvent('k', 1, 2, 6),
        kernelEvent('k', 1, 2, 5),
        kernelEvent('k', 1, 2, 5, { args: { device: 0, stream: 8, correlation: 5 } }),
        kernelEvent('k', 1, 2, 5, { args: { device: 1, stream: 7, correlation: 5 } }),
        kernelEvent('other', 1, 2, 5),
        kernelEvent('k', 1, 2.001, 5),
        kernelEvent('k', 1, 2, 5),
      ]),
    );
    expect(timeline.device.count).toBe(6);
    expect(problems.count('duplicate-event')).toBe(2);
  });

  it('multiplies grid and block', async () => {
    const { timeline } = await readTrace(
      traceOf([
        kernelEvent('k', 1, 2, 5),
        kernelEvent('odd', 5, 2, 5, { args: { grid: ['4', 2], block: 'block(128,)' } }),
        kernelEvent('empty', 9, 2, 5, { args: { grid: [], block: [1, null] } }),
      ]),
    );
    expect(timeline.device.gridBlocks).toEqual(Float64Array.of(6, NaN, NaN));
    expect(timeline.device.blockThreads).toEqual(Float64Array.of(128, NaN, NaN));
  });
});

describe('collectives', () => {
  const args = {
    'Collective name': 'allreduce',
    'In msg nelems': 2049000,
    'Out msg nelems': '2049000',
    dtype: 'BFloat16',
    'Group size': 2,
    'Process Group Name': '0',
    'Process Group Description': 'default_pg',
    'Process Group Ranks': '[0, 1]',
    Seq: 42,
  };
  const full = {
    name: 'allreduce',
    processGroup: '0',
    processGroupRanks: '[0, 1]',
    groupSize: 2,
    inElements: 2049000,
    outElements: 2049000,
    dtype: 'BFloat16',
    sequence: 42,
    commsId: null,
  };

  it('are read from kernels and from record_param_comms', async () => {
    const { timeline } = await readTrace(
      traceOf([
        hostEvent('record_param_comms', 1, 5, { args }),
        hostEvent('aten::mm', 2, 1, { args: { dtype: 'Float', 'Group size': 3 } }),
        kernelEvent('ncclDevKernel_AllReduce_Sum_bf16', 3, 9, 1, { args: { ...args, stream: 7 } }),
        kernelEvent('gemm', 20, 9, 1),
      ]),
    );
    expect(Array.from(timeline.host.collectiveIndex)).toEqual([0, NO_INDEX]);
    expect(Array.from(timeline.device.collectiveIndex)).toEqual([1, NO_INDEX]);
    expect(timeline.collectives).toEqual([full, full]);
  });

  it('leave absent values null and keep ids beyond 64 bits as text', async () => {
    const large = hostEvent('record_param_comms', 1, 5, { args: { 'Comms Id': 0 } }).replace(
      '"Comms Id":0',
      '"Comms Id":10159970886766084423',
    );
    const described = hostEvent('record_param_comms', 8, 5, {
      args: { 'Process Group Description': 'mesh_tp', 'In msg nelems': 0 },
    });
    const { timeline } = await readTrace(traceOf([large, hostEvent('between', 7, 1), described]));
    const nothing = Object.fromEntries(Object.keys(full).map((key) => [key, null]));
    expect(timeline.collectives).toEqual([
      { ...nothing, commsId: '10159970886766084423' },
      { ...nothing, processGroup: 'mesh_tp', inElements: 0 },
    ]);
  });
});
