import { pickled, type PickleStyle } from '../../../../test/builders/pickle';
import { readRecord, type ReadRecordOptions } from '../../../../test/builders/read-record';
import { sniffFormat } from '../sniff';
import { memorySnapshotFormat } from '.';

const MIB = 2 ** 20;
const frame = (name: string, filename: string, line: number) => Object.freeze({ name, filename, line });
const NATIVE = frame('c10::cuda::CUDACachingAllocator::Native::malloc(unsigned long)', '', 0);
const TORCH = frame('linear', '/venv/lib/python3.12/site-packages/torch/nn/functional.py', 20);
const USER = frame('forward', '/home/user/train.py', 36);
const EMPTY_CACHE = frame('empty_cache', '/venv/lib/python3.12/site-packages/torch/cuda/memory.py', 224);
const FORWARD = Object.freeze([NATIVE, TORCH, USER, frame('main', '/home/user/train.py', 90)]);
const BACKWARD = Object.freeze([
  NATIVE,
  frame('torch::autograd::generated::MmBackward0::apply()', '??', 0),
  frame('__clone', '??', 0),
]);
const EMPTYING = Object.freeze([EMPTY_CACHE, frame('before', '/home/user/train.py', 206)]);

const block = (state: string, sizeMib: number, frames: readonly unknown[] = []) => ({
  address: 140_440_330_305_536,
  size: sizeMib * MIB,
  requested_size: state === 'inactive' ? 0 : sizeMib * MIB - 100,
  state,
  frames,
});
const segment = (device: number, totalMib: number, blocks: unknown[]) => ({
  device,
  total_size: totalMib * MIB,
  blocks,
});
const event = (action: string, sizeMib: number, timeUs: number, frames: readonly unknown[] = FORWARD) => ({
  action,
  addr: 140_440_330_305_536,
  size: sizeMib * MIB,
  stream: 0,
  time_us: 1_795_993_200_000_000 + timeUs,
  frames,
});

const SNAPSHOT = {
  segments: [
    segment(0, 20, [
      block('active_allocated', 6, FORWARD),
      block('inactive', 3),
      block('active_allocated', 2, BACKWARD),
      block('active_pending_free', 4, FORWARD),
      block('inactive', 5),
    ]),
    segment(0, 8, [block('inactive', 8)]),
    segment(2, 2, [block('active_allocated', 2)]),
  ],
  device_traces: [
    [
      event('alloc', 10, 0),
      event('free_requested', 10, 1_000_000),
      event('free_completed', 10, 1_000_000),
      event('segment_free', 10, 1_100_000, EMPTYING),
      event('segment_free', 2, 1_100_001, EMPTYING),
      event('segment_alloc', 8, 1_200_000),
      event('segment_free', 4, 1_300_000, FORWARD),
      event('segment_alloc', 4, 1_300_001),
      { ...event('oom', 100, 2_000_000), device_free: 3 * MIB },
    ],
    [],
    [event('segment_alloc', 2, 7)],
  ],
  allocator_settings: { expandable_segments: true, max_split_size: -1, garbage_collection_threshold: 0.8 },
};

async function read(file: Uint8Array, options?: ReadRecordOptions) {
  const { content, problems } = await readRecord(memorySnapshotFormat, file, options);
  if (content.kind !== 'memory-snapshot') throw new Error(content.kind);
  return { ...content.snapshot, problems };
}

describe.each(['python', 'torch'] as const)('as %s writes it', (style: PickleStyle) => {
  test('blocks give what is held, what is free and who holds it', async () => {
    const file = pickled(SNAPSHOT, style);
    expect(sniffFormat(file)?.id).toBe('memory-snapshot');
    const { rank, devices, settings, problems } = await read(file, { path: 'snapshot.rank3.pickle' });
    expect(problems).toEqual({});
    expect(rank).toBe(3);
    expect(settings).toEqual({
      expandableSegments: true,
      maxSplitSizeBytes: null,
      garbageCollectionThreshold: 0.8,
    });
    expect(devices.map((d) => d.device)).toEqual([0, 2]);
    expect(devices[0]).toMatchObject({
      segmentCount: 2,
      reservedBytes: 28 * MIB,
      allocatedBytes: 8 * MIB,
      pendingFreeBytes: 4 * MIB,
      requestedBytes: 12 * MIB - 300,
      freeBytes: 16 * MIB,
      splitFreeBytes: 8 * MIB,
      freeBlockCount: 3,
      largestFreeBytes: 8 * MIB,
      holders: [
        {
          site: { name: 'forward', file: '/home/user/train.py', line: 36 },
          sizeBytes: 10 * MIB,
          blockCount: 2,
        },
        {
          site: { name: 'torch::autograd::generated::MmBackward0::apply()', line: null },
          sizeBytes: 2 * MIB,
        },
      ],
    });
    expect(devices[1].holders).toEqual([{ site: null, sizeBytes: 2 * MIB, blockCount: 1 }]);
  });

  test('the history gives churn, whose doing it was, and peaks', async () => {
    const { devices } = await read(pickled(SNAPSHOT, style));
    expect(devices[0].trace).toEqual({
      eventCount: 9,
      spanS: 2,
      allocationCount: 1,
      segmentAllocCount: 2,
      segmentAllocBytes: 12 * MIB,
      segmentFreeCount: 3,
      segmentFreeBytes: 16 * MIB,
      emptyCacheCount: 1,
      retryCount: 1,
      emptyCacheSite: { name: 'before', file: '/home/user/train.py', line: 206 },
      oomCount: 1,
      lastOom: { requestedBytes: 100 * MIB, deviceFreeBytes: 3 * MIB },
      peakRequestedBytes: 22 * MIB - 300,
      peakReservedBytes: 32 * MIB,
    });
    expect(devices[1].trace).toMatchObject({ eventCount: 1, segmentAllocCount: 1 });
  });

  test.each([1, 7, 4096])('in chunks of %d bytes it says the same', async (chunkBytes) => {
    const file = pickled(SNAPSHOT, style);
    expect(await read(file, { chunkBytes })).toEqual(await read(file));
  });

  test('a history of many batches is one history', async () => {
    const events = Array.from({ length: 2501 }, (_, i) => event(i % 2 ? 'free_requested' : 'alloc', 1, i));
    const { devices } = await read(pickled({ ...SNAPSHOT, device_traces: [[], events] }, style));
    expect(devices[1]).toMatchObject({
      device: 1,
      reservedBytes: 0,
      trace: { eventCount: 2501, allocationCount: 1251 },
    });
  });

  test('a file that ends early gives its segments and the history so far', async () => {
    const events = Array.from({ length: 3000 }, (_, i) => event('alloc', 1, i));
    const file = pickled({ ...SNAPSHOT, device_traces: [[], [], events] }, style);
    const { devices, problems } = await read(file.subarray(0, file.length - 300), { cutSource: true });
    expect(problems).toEqual({ 'truncated-file': 1 });
    expect(devices[0]).toMatchObject({ device: 0, reservedBytes: 28 * MIB, trace: null });
    expect(devices[1].trace?.eventCount).toBeGreaterThan(2900);
  });
});

test('older forms: a bare list of segments, and blocks with a history', async () => {
  const old = {
    size: 2 * MIB,
    state: 'active_allocated',
    history: [{ addr: 1, real_size: 5, frames: FORWARD }],
  };
  const { devices, settings } = await read(pickled([segment(0, 2, [old])]));
  expect(settings).toBeNull();
  expect(devices[0]).toMatchObject({
    requestedBytes: null,
    holders: [{ site: { name: 'forward' }, sizeBytes: 2 * MIB }],
    trace: null,
  });
});

test('figures that cannot be are counted and left out', async () => {
  const blocks = [
    block('active_allocated', -1),
    block('inactive', 0.3),
    block('gone', 1),
    { ...block('inactive', 1), size: NaN },
  ];
  const { devices, problems } = await read(
    pickled({
      segments: [
        segment(0, 4, blocks),
        segment(0, 1, [block('inactive', 1)]),
        segment(1e6, 1, [block('inactive', 1)]),
      ],
      device_traces: [[event('alloc', -4, 1), event('dance', 1, 2), event('alloc', 1, 3)]],
    }),
  );
  expect(devices).toHaveLength(1);
  expect(devices[0]).toMatchObject({ freeBytes: MIB, reservedBytes: MIB, trace: { eventCount: 1 } });
  expect(problems['malformed-event']).toBe(8);
});

test('distinct texts are bounded, and what does not fit has no name', async () => {
  const frames = Array.from({ length: 200 }, (_, i) => frame(`f${i}`.padEnd(100, 'x'), '/home/user/a.py', i));
  const blocks = frames.map((f) => block('active_allocated', 1, [f]));
  const { devices, problems } = await read(
    pickled({ segments: [segment(0, 200, blocks)], device_traces: [] }),
    {
      limits: { maxStringBytes: 10_000 },
    },
  );
  expect(devices[0].allocatedBytes).toBe(200 * MIB);
  expect(devices[0].holders.some((h) => h.site === null)).toBe(true);
  expect(devices[0].holders).toHaveLength(20);
  expect(problems['string-limit-reached']).toBeGreaterThan(100);
});
