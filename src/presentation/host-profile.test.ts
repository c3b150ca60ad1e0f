import { HOST_ACTIVITIES, type Finding, type HostProfileReport } from '../analysis';
import { hostProfileSection } from './host-profile-section';
import { ACTIVITY_WORDING, functionName, hostSentences } from './wording/host-profile';

const functions = [
  {
    name: 'encode',
    file: '/venv/lib/python3.12/site-packages/tokenizers/core.py',
    activity: 'tokenisation',
    selfShare: 0.6,
    inclusiveShare: 0.7,
  },
  { name: 'rest', file: '', activity: 'user-code', selfShare: 0.04, inclusiveShare: 1 },
] as const;
const evidence: NonNullable<Finding['evidence']['host']> = {
  ...{ source: 'collapsed-stacks', unit: 'samples', role: 'main', sampleCount: 250 },
  activities: [
    { activity: 'tokenisation', share: 0.7 },
    { activity: 'logging', share: 0.04 },
  ],
  functions: [...functions],
  gil: {
    sampleCount: 8,
    holders: [{ name: 'emit', file: 'logging/__init__.py', activity: 'logging', role: 'other', share: 0.5 }],
  },
};

test('every activity has its words', () => {
  expect(Object.keys(ACTIVITY_WORDING).sort()).toEqual([...HOST_ACTIVITIES].sort());
});

test('sentences of a finding: what stands out, by whom, and who holds the lock; samples are not called time', () => {
  expect(hostSentences(evidence)).toBe(
    'In the training loop (collapsed stacks, 250 samples, not time): 70 % tokenisation. Most by themselves: encode (tokenizers/core.py) 60 %. The interpreter lock was held in 8 samples, 50 % of them by emit (logging/__init__.py) in the other threads.',
  );
  expect(hostSentences({ ...evidence, source: 'trace', unit: 'ns', gil: null })).toContain(
    '(Python frames of the trace, time with an empty device)',
  );
});

test.each([
  ['/home/someone/project/src/train.py', 'f (src/train.py)'],
  ['C:/project/src/train.py', 'f (src/train.py)'],
  ['torch/nn/modules/module.py', 'f (torch/nn/modules/module.py)'],
  ['', 'f'],
])('a function of %s reads %s', (file, words) => {
  expect(functionName({ name: 'f', file })).toBe(words);
});

test('the section lists activities, functions, threads and holders of the lock', () => {
  const profile: HostProfileReport = {
    ...{
      source: 'py-spy-dump',
      rank: 1,
      unit: 'samples',
      sampleCount: 8,
      otherProfileCount: 2,
      gil: evidence.gil,
    },
    activities: [{ role: 'main', activity: 'tokenisation', share: 0.7 }],
    functions: functions.map((f) => ({ ...f, role: 'main' })),
    threads: [
      {
        name: 'MainThread',
        process: '7',
        role: 'main',
        sampleCount: 8,
        share: 1,
        idleShare: 0.25,
        gilShare: 0.5,
      },
    ],
  };
  const { about, rows } = hostProfileSection(profile);
  expect(about).toBe(
    'py-spy dump, rank 1, 8 samples, not time, 2 more with fewer samples of the training loop',
  );
  expect(rows.map((row) => row.label)).toEqual([
    'training loop: tokenisation',
    'encode (tokenizers/core.py)',
    'rest',
    'process 7, thread MainThread',
    'emit (logging/__init__.py)',
  ]);
  expect(rows[3].text).toBe('training loop, idle 25 %, holds the interpreter lock 50 %');
});
