import { HostProfileBuilder } from '../formats/host-profile-builder';
import { type HostProfile } from '../formats/host-profile';
import { dominantActivity, hostEvidence } from './host-evidence';
import { hostProfileSchema } from './host-profile-schema';
import { summarizeHostProfiles } from './host-profile-summary';

type Sample = [thread: string, frames: string, weight: number, state?: 'idle' | 'gil' | 'active'];

function profile(samples: Sample[], about: Partial<HostProfile> = {}): HostProfile {
  const builder = new HostProfileBuilder();
  for (const [thread, frames, weight, state] of samples)
    builder.add({
      ...{ thread, weight, sampleCount: weight },
      frames: frames.split(' ').map((name) => builder.function(name, '')),
      ...(state && { idle: state === 'idle', gil: state === 'gil' }),
    });
  return builder.build({ source: 'collapsed-stacks', rank: null, unit: 'samples', ...about });
}

const LOOP = profile([
  ['MainThread', 'main collate_fn', 60],
  ['MainThread', 'main tokenize', 30],
  ['MainThread', 'main', 10],
  ['worker', '_worker_loop imread', 300],
]);
const DUMP = profile(
  [
    ['MainThread', 'main tokenize', 3, 'gil'],
    ['MainThread', 'main wait', 1, 'idle'],
    ['Thread-1', 'emit', 1, 'gil'],
  ],
  { source: 'py-spy-dump' },
);

test('shares are of the threads of one part; idle ones do not count', () => {
  const summary = summarizeHostProfiles([LOOP]);
  expect(hostProfileSchema.safeParse(summary).error).toBeUndefined();
  expect(summary?.activities).toEqual([
    { role: 'main', activity: 'collate', share: 0.6 },
    { role: 'main', activity: 'tokenisation', share: 0.3 },
    { role: 'main', activity: 'user-code', share: 0.1 },
    { role: 'loader-worker', activity: 'image-decoding', share: 1 },
  ]);
  expect(summary?.functions.map((f) => [f.name, f.role, f.selfShare, f.inclusiveShare])).toEqual([
    ['collate_fn', 'main', 0.6, 0.6],
    ['tokenize', 'main', 0.3, 0.3],
    ['main', 'main', 0.1, 1],
    ['imread', 'loader-worker', 1, 1],
  ]);
  expect(summary?.threads.map((t) => [t.name, t.share, t.idleShare, t.gilShare])).toEqual([
    ['worker', 0.75, null, null],
    ['MainThread', 0.25, null, null],
  ]);
  expect(summary?.gil).toBeNull();
  expect(summarizeHostProfiles([])).toBeNull();
});

test('of several profiles the one with most samples of the loop is shown, and of dumps who holds the lock', () => {
  const workersOnly = profile([['worker', '_worker_loop imread', 9000]]);
  const summary = summarizeHostProfiles([DUMP, workersOnly, LOOP]);
  expect(summary).toMatchObject({ source: 'collapsed-stacks', sampleCount: 400, otherProfileCount: 2 });
  expect(summary?.gil).toEqual({
    sampleCount: 4,
    holders: [
      { name: 'tokenize', file: '', activity: 'tokenisation', role: 'main', share: 0.75 },
      { name: 'emit', file: '', activity: 'user-code', role: 'other', share: 0.25 },
    ],
  });
  const [main] = summarizeHostProfiles([DUMP])?.threads ?? [];
  expect([main.idleShare, main.gilShare]).toEqual([0.25, 0.75]);
});

test('evidence is of the first part that was seen at work, and names what to fix first', () => {
  const summary = summarizeHostProfiles([LOOP]);
  expect(hostEvidence(summary, ['loader-worker', 'main'])).toMatchObject({
    role: 'loader-worker',
    sampleCount: 300,
  });
  const main = hostEvidence(summary, ['main']);
  expect(main).toMatchObject({ role: 'main', sampleCount: 100, functions: [{ name: 'collate_fn' }, {}, {}] });
  expect(dominantActivity(main)).toBe('collate');
  expect(hostEvidence(summary, ['other'])).toBeUndefined();
  const mixed = hostEvidence(
    summarizeHostProfiles([
      profile([
        ['MainThread', 'f', 90],
        ['MainThread', 'print', 10],
      ]),
    ]),
    ['main'],
  );
  expect(dominantActivity(mixed)).toBeNull();
});
