import { readRecord } from '../../../../test/builders/read-record';
import { sniffFormat } from '../sniff';
import { collapsedStacksFormat } from '.';

const PY_SPY = `process 10:"python train.py; sleep 1";thread (10): MainThread;<module> (train.py:9);main (train.py:5);collate_fn (train.py:2) 30
process 10:"python train.py; sleep 1";thread (10): MainThread;<module> (train.py:9);main (train.py:6);recurse (train.py:1);recurse (train.py:1) 10
process 10:"python train.py; sleep 1";process 11:"pt_data_worker";thread (11): MainThread;<module> (train.py:9);load (data.py:1) 50
process 10:"python train.py; sleep 1";thread (0x7F1);_bootstrap (threading.py:1);run (threading.py:2) 7
`;

async function read(text: string) {
  const { content, problems } = await readRecord(collapsedStacksFormat, text);
  if (content.kind !== 'host-profile') throw new Error(content.kind);
  return { ...content.profile, problems };
}

test('processes and threads are told from frames, and recursion counts once', async () => {
  expect(sniffFormat(Buffer.from(PY_SPY))?.id).toBe('collapsed-stacks');
  const { threads, functions, activities, unit, problems } = await read(PY_SPY);
  expect(problems).toEqual({});
  expect(unit).toBe('samples');
  expect(threads.map((t) => [t.process, t.name, t.role, t.weight, t.gilWeight])).toEqual([
    ['10: python train.py', 'MainThread', 'main', 40, null],
    ['11: pt_data_worker', 'MainThread', 'loader-worker', 50, null],
    ['10: python train.py', 'thread (0x7F1)', 'other', 7, null],
  ]);
  expect(activities.main).toEqual({ collate: 30, 'user-code': 10 });
  const recursive = functions.find((f) => f.name === 'recurse');
  expect([recursive?.selfWeight, recursive?.inclusiveWeight]).toEqual([10, 10]);
});

test('stacks without threads belong to the loop, a worker or another thread by their root', async () => {
  const { threads } = await read(
    '<module> (a.py:1);f (a.py:2) 3\n_worker_loop (torch/utils/data/_utils/worker.py:1);f (a.py:2) 4\n_bootstrap (threading.py:1);g 5\n',
  );
  expect(threads.map((t) => [t.role, t.weight])).toEqual([
    ['main', 3],
    ['loader-worker', 4],
    ['other', 5],
  ]);
});

test('lines that are no stack are counted', async () => {
  const { problems, threads } = await read(
    'a;b 1\nWarning: process exited\na;c 99999999999999999999\na;c 2\n',
  );
  expect(problems).toEqual({ 'malformed-event': 2 });
  expect(threads[0].weight).toBe(3);
  await expect(read('none\n')).rejects.toThrow(/no stack with a count/);
});

test.each([
  ['a table', 'a;b;c\n1;2;3\n4;5;6\n'],
  ['a sentence', 'step 1 took 5\nstep 2 took 6\n'],
  ['a log', 'epoch 1; loss 3.2\nepoch 2; loss 3.1; done\n'],
])('%s is not taken for stacks', (_, text) => {
  expect(collapsedStacksFormat.sniff(Buffer.from(text))).toBe(false);
});
