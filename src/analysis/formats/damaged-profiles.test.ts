import fc from 'fast-check';
import { damage, damaged } from '../../../test/builders/damage';
import { pickled } from '../../../test/builders/pickle';
import { readRecord } from '../../../test/builders/read-record';
import { summarizeHostProfiles } from '../evidence/host-profile-summary';
import { hostProfileSchema } from '../evidence/host-profile-schema';
import { memorySchema } from '../evidence/memory-schema';
import { memoryReportOf } from '../evidence/memory-report';
import { InputRefused } from '../timeline/input-refused';
import { type ArtifactContent, type ArtifactFormat } from './artifact-format';
import { collapsedStacksFormat } from './collapsed-stacks';
import { memorySnapshotFormat } from './memory-snapshot';
import { pySpyDumpFormat } from './py-spy-dump';
import { speedscopeFormat } from './speedscope';

const frames = [{ name: 'forward', filename: '/home/user/train.py', line: 36 }];
const snapshot = {
  segments: Array.from({ length: 4 }, (_, i) => ({
    ...{ device: i % 2, total_size: 4096 },
    blocks: ['active_allocated', 'inactive'].map((state) => ({
      size: 2048,
      requested_size: 2000,
      state,
      frames,
    })),
  })),
  device_traces: [
    ['alloc', 'free_requested', 'segment_free', 'segment_alloc', 'oom'].map((action, i) => ({
      ...{ action, size: 512, time_us: 1.7e15 + i, frames },
    })),
  ],
};
const speedscope = {
  shared: { frames: [{ name: 'a', file: 'a.py' }, { name: 'b' }] },
  profiles: [
    {
      type: 'sampled',
      unit: 'seconds',
      name: 'Thread 1 "MainThread"',
      samples: [[0, 1], [0], [1]],
      weights: [1, 0.5, 3],
    },
    {
      type: 'evented',
      unit: 'seconds',
      endValue: 9,
      startValue: 0,
      events: ['O', 'C'].map((type, at) => ({ type, frame: 0, at })),
    },
  ],
};
const dump =
  'Process 1: python a.py\nThread 1 (active+gil): "MainThread"\n    f (a.py:1)\n    <module> (a.py:9)\n';

const FILES: [string, ArtifactFormat, Buffer][] = [
  ['snapshot by Python', memorySnapshotFormat, pickled(snapshot, 'python')],
  ['snapshot by PyTorch', memorySnapshotFormat, pickled(snapshot, 'torch')],
  ['speedscope', speedscopeFormat, Buffer.from(JSON.stringify(speedscope))],
  [
    'collapsed stacks',
    collapsedStacksFormat,
    Buffer.from('process 1:"a b";main;f (a.py:1) 30\nmain;g 2\n'.repeat(9)),
  ],
  ['py-spy dump', pySpyDumpFormat, Buffer.from(dump.repeat(5))],
];

function expectSane(content: ArtifactContent): void {
  if (content.kind === 'memory-snapshot') {
    const snapshots = [{ path: 'a', snapshot: content.snapshot }];
    const report = memoryReportOf({ allocators: [], ooms: [], snapshots }, null);
    expect(memorySchema.safeParse(report).error).toBeUndefined();
  } else if (content.kind === 'host-profile') {
    expect(hostProfileSchema.safeParse(summarizeHostProfiles([content.profile])).error).toBeUndefined();
  } else throw new Error(`read as ${content.kind}`);
}

test.each(FILES)('a damaged file gives plausible figures or one refusal: %s', async (_, format, file) => {
  expectSane((await readRecord(format, file)).content);
  await fc.assert(
    fc.asyncProperty(damage, async (hits) => {
      try {
        expectSane((await readRecord(format, damaged(file, hits))).content);
      } catch (error) {
        if (!(error instanceof InputRefused)) throw error;
        expect(error.message).not.toContain('\n');
      }
    }),
    { numRuns: 400, seed: 6 },
  );
});

test('weights and counts beyond all measure stay numbers', async () => {
  const huge = { ...speedscope, profiles: [{ ...speedscope.profiles[0], weights: [1e308, 1e19, 5e-324] }] };
  expectSane((await readRecord(speedscopeFormat, JSON.stringify(huge))).content);
  const stacks = 'main;f 999999999999999\n'.repeat(20);
  expectSane((await readRecord(collapsedStacksFormat, stacks)).content);
});
