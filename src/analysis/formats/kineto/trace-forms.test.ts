import {
  deviceNames,
  hostEvent,
  hostNames,
  kernelEvent,
  readTrace,
  runtimeEvent,
  traceOf,
} from '../../../../test/builders/kineto-trace';
import { DeviceOpKind, HostEventKind, NO_ID } from '../../timeline/rank-timeline';

const BASE = '"schemaVersion": 1, "baseTimeNanoseconds": 1790857026000000000';

describe('times', () => {
  it('adds the base time to relative times and keeps nanoseconds', async () => {
    const { timeline } = await readTrace(
      traceOf(
        [hostEvent('a', 0, 0).replace('"ts":0,"dur":0', '"ts":5136527284175.173,"dur":103155.924')],
        BASE,
      ),
    );
    expect(timeline.originNs + BigInt(timeline.host.startNs[0])).toBe(
      1790857026000000000n + 5136527284175173n,
    );
    expect(timeline.host.endNs[0] - timeline.host.startNs[0]).toBe(103155924);
  });

  it('keeps nanoseconds of times since 1970, written as numbers or as text', async () => {
    for (const ts of ['1711964646000123.457', '"1711964646000123.457"']) {
      const { timeline } = await readTrace(`[${hostEvent('a', 0, 2).replace('"ts":0', `"ts":${ts}`)}]`);
      expect(timeline.originNs + BigInt(timeline.host.startNs[0])).toBe(1711964646000123457n);
    }
  });

  it('does not let an event at zero become the origin', async () => {
    const since1970 = 1711964646000000;
    const { timeline, problems } = await readTrace(
      traceOf([kernelEvent('lost', 0, 1, 1), hostEvent('a', since1970, 5), hostEvent('b', since1970 + 7, 5)]),
    );
    expect(hostNames(timeline)).toEqual(['a', 'b']);
    expect(Array.from(timeline.host.startNs)).toEqual([0, 7000]);
    expect(timeline.device.count).toBe(0);
    expect(problems.count('implausible-time')).toBe(1);
  });

  it('ignores the end of the recording window, wherever it is', async () => {
    const end = '{"name":"Record Window End","ph":"i","s":"g","pid":"","tid":"","ts":9e15}';
    const { timeline, problems } = await readTrace(traceOf([hostEvent('a', 10, 5), end]));
    expect(timeline.host.count).toBe(1);
    expect(problems.count('implausible-time')).toBe(0);
  });

  it('repairs negative durations, drops 236-year ones, keeps zero', async () => {
    const { timeline, problems } = await readTrace(
      traceOf([hostEvent('minus', 10, -0.001), hostEvent('years', 11, 7.4e15), hostEvent('zero', 12, 0)]),
    );
    expect(hostNames(timeline)).toEqual(['minus', 'zero']);
    expect(timeline.host.endNs).toEqual(timeline.host.startNs);
    expect(problems.count('negative-duration')).toBe(1);
    expect(problems.count('implausible-duration')).toBe(1);
  });

  it('drops what cannot be placed, and says so', async () => {
    const { timeline, problems } = await readTrace(
      traceOf([
        hostEvent('good', 1, 1),
        '{"ph":"X","cat":"cpu_op","name":"no start","dur":1}',
        '{"ph":"X","cat":"cpu_op","name":"no duration","ts":1}',
        '{"ph":"X","cat":"cpu_op","name":"no number","ts":N/A,"dur":1}',
        '{"ph":"X","name":"no category","ts":1,"dur":1}',
        '{"ph":"X","cat":"cpu_op","ts":1,"dur":1}',
        '{}',
      ]),
    );
    expect(hostNames(timeline)).toEqual(['good']);
    expect(problems.count('missing-field')).toBe(6);
  });
});

describe('categories', () => {
  it('reads those of 2021', async () => {
    const operator = { cat: 'Operator', tid: 'stream 7' };
    const kernel = { cat: 'Kernel', tid: 'stream 7', pid: 0, args: { correlation: 3 } };
    const { timeline } = await readTrace(
      `[${[
        hostEvent('ProfilerStep#3', 0, 90, operator),
        hostEvent('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', 1, 2, operator),
        hostEvent('aten::mm', 5, 9, {
          ...operator,
          args: { 'Input dims': [[2, 3]], 'Input type': ['float'] },
        }),
        runtimeEvent('cudaLaunchKernel', 6, 2, 3, { cat: 'Runtime' }),
        kernelEvent('gemm', 9, 20, 3, kernel),
        kernelEvent('Memcpy HtoD', 30, 5, 4, { ...kernel, cat: 'Memcpy', args: { stream: 7, bytes: 128 } }),
        kernelEvent('Memset', 36, 5, 5, { ...kernel, cat: 'Memset' }),
        '{"ph":"s","id":3,"cat":"async","name":"launch","pid":1,"tid":2,"ts":6}',
      ].join(',')}]`,
    );
    expect(Array.from(timeline.host.kind)).toEqual([
      HostEventKind.annotation,
      HostEventKind.annotation,
      HostEventKind.op,
      HostEventKind.runtime,
    ]);
    expect(timeline.strings.get(timeline.host.inputDimsId[2])).toBe('[[2,3]]');
    expect(Array.from(timeline.device.kind)).toEqual([
      DeviceOpKind.kernel,
      DeviceOpKind.memcpy,
      DeviceOpKind.memset,
    ]);
    expect(Array.from(timeline.device.streamId)).toEqual([7, 7, 7]);
    expect(timeline.device.bytes[1]).toBe(128);
    expect(timeline.eventsRead).toBe(8);
  });

  it('does not count device copies of annotations, flows and the profiler itself, and reports the unknown', async () => {
    const { timeline, problems } = await readTrace(
      traceOf([
        hostEvent('ProfilerStep#1', 0, 9, { cat: 'user_annotation' }),
        hostEvent('ProfilerStep#1', 1, 9, { cat: 'gpu_user_annotation' }),
        hostEvent('PyTorch Profiler (0)', 0, 99, { cat: 'Trace', pid: 'Spans' }),
        hostEvent('Stream Wait Event', 3, 1, { cat: 'cuda_sync' }),
        '{"ph":"f","id":3,"cat":"ac2g","name":"ac2g","pid":1,"tid":2,"ts":6,"bp":"e"}',
        '{"ph":"C","name":"GPU 0 Utilization","pid":1,"ts":6,"args":{"v":1}}',
      ]),
    );
    expect(hostNames(timeline)).toEqual(['ProfilerStep#1']);
    expect(problems.list().map(({ kind, count, example }) => [kind, count, example])).toEqual([
      ['no-device-events', 1, undefined],
      ['unknown-category', 1, 'cuda_sync'],
      ['unused-phase', 1, 'ph C of GPU 0 Utilization'],
    ]);
  });

  it('reads ROCm: text for numbers, devices that are not listed, copies as kernels', async () => {
    const { timeline } = await readTrace(
      traceOf(
        [
          runtimeEvent('hipMemcpyWithStream', 1, 2, 5, {
            args: { correlation: '5', bytes: '128', stream: '0x0' },
          }),
          kernelEvent('__amd_rocclr_copyBufferAligned.kd', 3, 4, 5, {
            pid: 9,
            tid: 0,
            args: { correlation: '5', bytes: '128' },
          }),
          kernelEvent('__amd_rocclr_fillBufferAligned.kd', 8, 4, 6, {
            pid: 'GPU 9',
            tid: 'stream 2',
            args: {},
          }),
          kernelEvent('hipLaunchIsNotACollective', 13, 1, 7, { args: { device: '9', stream: 0 } }),
        ],
        '"deviceProperties": [{"id": 0, "name": "", "numSms": 304, "warpSize": 64}], "hip_runtime_version": 60443484',
      ),
    );
    const { device, metadata } = timeline;
    expect(Array.from(device.kind)).toEqual([DeviceOpKind.memcpy, DeviceOpKind.memset, DeviceOpKind.kernel]);
    expect(Array.from(device.deviceId)).toEqual([9, 9, 9]);
    expect(Array.from(device.streamId)).toEqual([0, 2, 0]);
    expect(Array.from(device.launchIndex)).toEqual([0, -1, -1]);
    expect(device.bytes[0]).toBe(128);
    expect(device.gridBlocks).toEqual(Float64Array.of(NaN, NaN, NaN));
    expect(metadata.devices[0]).toMatchObject({
      id: 0,
      name: '',
      smCount: 304,
      warpSize: 64,
      computeMajor: null,
    });
    expect(metadata.cudaRuntimeVersion).toBe('60443484');
  });

  it('reads allocator events with and without a category', async () => {
    const memory = (cat: string, args: object) =>
      `{"ph":"i","s":"t","name":"[memory]",${cat}"pid":1,"tid":1,"ts":4,"args":${JSON.stringify(args)}}`;
    const { timeline } = await readTrace(
      traceOf([
        memory('"cat":"cpu_instant_event",', {
          Bytes: 512,
          'Total Allocated': 1024,
          'Total Reserved': 4096,
          'Device Type': 1,
          Addr: 7,
        }),
        memory('', { Bytes: -16, 'Device Type': 0, 'Device Id': -1 }),
        memory('', {}),
      ]),
    );
    const { memory: events } = timeline;
    expect(events.bytes).toEqual(Float64Array.of(512, -16, NaN));
    expect(events.totalAllocatedBytes).toEqual(Float64Array.of(1024, NaN, NaN));
    expect(events.totalReservedBytes).toEqual(Float64Array.of(4096, NaN, NaN));
    expect(Array.from(events.deviceType)).toEqual([1, 0, 255]);
  });
});

describe('shape of the file', () => {
  const events = [hostEvent('a', 1, 1), kernelEvent('k', 2, 1, 9)];

  it.each([
    ['a byte order mark', `\uFEFF${traceOf(events)}`],
    ['a leading comma', `{"traceEvents": [,${events.join(',')}]}`],
    ['a trailing comma', `{"traceEvents": [${events.join(',')},]}`],
    ['doubled commas', `[${events.join(',,')}]`],
    ['no white space', `{"traceEvents":[${events.join(',')}]}`],
    ['no comma between events', `[${events.join('\n')}]`],
    [
      'metadata after the events',
      `{"traceEvents": [${events.join(',')}], "a": {"b": [1, {"c": "}]"}]}, "n": 1}`,
    ],
    ['unquoted words in the metadata', `{"driver": N/A, "x": nan, "traceEvents": [${events.join(',')}]}`],
    [
      'unreadable metadata before the events',
      `{"job": {"x": 1, {"y"}, "traceEvents" : [${events.join(',')}], "a": 1}${' '.repeat(300)}`,
    ],
    ['a second list of events', `{"traceEvents": [${events[0]}], "x": 1, "traceEvents": [${events[1]}]}`],
  ])('is read with %s', async (_, text) => {
    for (const chunkSizes of [[1], [7, 64], [text.length * 3]]) {
      const { timeline, problems } = await readTrace(text, { chunkSizes });
      expect([hostNames(timeline), deviceNames(timeline)]).toEqual([['a'], ['k']]);
      expect(timeline.truncated).toBe(false);
      expect(problems.count('truncated-file')).toBe(0);
    }
  });

  it('sorts by start, parents before children, and keeps ids apart', async () => {
    const { timeline } = await readTrace(
      traceOf([
        hostEvent('late', 9, 1),
        hostEvent('child', 2, 3, { tid: '11' }),
        hostEvent('parent', 2, 8, { tid: 11, args: { 'Sequence number': 4294967296 } }),
        hostEvent('other', 3, 1, { pid: '', tid: -4 }),
        '{"ph":"M","name":"thread_name","pid":10,"tid":11,"args":{"name":"thread 11 (\\u0070ython)"}}',
        '{"ph":"M","name":"thread_name","pid":10,"tid":99,"args":{"name":"no events"}}',
        '{"ph":"M","name":"process_name","pid":10,"tid":11,"args":{"name":"python3"}}',
      ]),
    );
    expect(hostNames(timeline)).toEqual(['parent', 'child', 'other', 'late']);
    expect(timeline.host.sequenceNumber[0]).toBe(NO_ID);
    expect(timeline.threads).toEqual([
      { processId: '10', threadId: '11', name: 'thread 11 (python)' },
      { processId: '', threadId: '-4', name: '' },
    ]);
    expect(Array.from(timeline.host.threadIndex)).toEqual([0, 0, 1, 0]);
  });
});
