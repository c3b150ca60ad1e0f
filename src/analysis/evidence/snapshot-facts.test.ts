import { type MemorySnapshot, type SnapshotDevice } from '../formats/memory-snapshot/memory-snapshot-record';
import { memoryReportOf } from './memory-report';
import { memorySchema } from './memory-schema';
import { cacheEmptiedBy, mostHeldBy } from './snapshot-causes';

const SITE = { name: 'forward', file: 'train.py', line: 36 };
const device = (id: number, about: Partial<SnapshotDevice> = {}): SnapshotDevice => ({
  ...{
    device: id,
    segmentCount: 1,
    reservedBytes: 100,
    allocatedBytes: 60,
    pendingFreeBytes: 0,
    requestedBytes: 59,
  },
  ...{
    freeBytes: 40,
    splitFreeBytes: 30,
    freeBlockCount: 2,
    largestFreeBytes: 20,
    holders: [],
    otherHoldersBytes: 0,
  },
  trace: null,
  ...about,
});
const trace = (emptyCacheCount: number | null): SnapshotDevice['trace'] => ({
  ...{ eventCount: 9, spanS: 1, allocationCount: 3, segmentAllocCount: 2, segmentAllocBytes: 5 },
  ...{ segmentFreeCount: 2, segmentFreeBytes: 5, retryCount: 0, oomCount: 0, lastOom: null },
  ...{ peakRequestedBytes: 60, peakReservedBytes: 100, emptyCacheCount },
  emptyCacheSite:
    emptyCacheCount === null || emptyCacheCount === 0 ? null : { ...SITE, line: 200 + emptyCacheCount },
});
const memoryOf = (...snapshots: MemorySnapshot[]) =>
  memoryReportOf(
    { allocators: [], ooms: [], snapshots: snapshots.map((snapshot) => ({ path: 'a', snapshot })) },
    null,
  );

test('every device that holds something or has a history is told, by rank', () => {
  const empty = device(1, { reservedBytes: 0, allocatedBytes: 0, freeBytes: 0 });
  const settings = { expandableSegments: true, maxSplitSizeBytes: null, garbageCollectionThreshold: null };
  const memory = memoryOf(
    { rank: 1, devices: [empty, device(2)], settings: null },
    { rank: 0, devices: [{ ...empty, trace: trace(0) }, device(0)], settings },
  );
  expect(memorySchema.safeParse(memory).error).toBeUndefined();
  expect(memory?.snapshots?.map((d) => [d.rank, d.device, d.expandableSegments])).toEqual([
    [0, 0, true],
    [0, 1, true],
    [1, 2, null],
  ]);
});

test('causes: who gives the cache back, and who holds most in the fullest snapshot', () => {
  const held = {
    holders: [
      { site: null, sizeBytes: 50, blockCount: 1 },
      { site: SITE, sizeBytes: 10, blockCount: 2 },
    ],
  };
  const memory = memoryOf(
    { rank: 0, devices: [device(0, { trace: trace(4) })], settings: null },
    { rank: 1, devices: [device(0, { trace: trace(6), allocatedBytes: 70, ...held })], settings: null },
    { rank: 2, devices: [device(0, { trace: trace(null) })], settings: null },
  );
  expect(cacheEmptiedBy(memory)).toEqual({ name: 'forward', at: 'train.py:206', calls: 10 });
  expect(mostHeldBy(memory)).toEqual({ name: 'forward', at: 'train.py:36', sizeBytes: 10 });
  expect([cacheEmptiedBy(null), mostHeldBy(null)]).toEqual([null, null]);
  expect(mostHeldBy(memoryOf({ rank: 0, devices: [device(0)], settings: null }))).toBeNull();
});
