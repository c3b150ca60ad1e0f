import { readRecord, type ReadRecordOptions } from '../../../../test/builders/read-record';
import { describeUnknown, sniffFormat } from '../sniff';
import { pySpyDumpFormat } from '.';

const DUMP = `Process 4242: python train.py --config a.yaml
Python v3.12.3 (/usr/bin/python3.12)

Thread 4242 (active+gil): "MainThread"
    encode_batch (tokenizers/__init__.py:120)
    collate_fn (train.py:55)
        Arguments:
            batch: [<Sample at 0x7f0000000000>, ...]
        Locals:
            Thread 1 (idle): "no thread"
    main (train.py:90)
    <module> (train.py:120)
Thread 4250 (active): "pt_autograd_0"
    backward (torch/autograd/function.py:288)
Thread 0x7F00AB12C700 (idle): "Thread-1 (_pin_memory_loop)"
    select (selectors.py:415)
    _pin_memory_loop (torch/utils/data/_utils/pin_memory.py:31)
    run (threading.py:1012)
    _bootstrap (threading.py:1032)
Thread 4260 (active)
    __libc_read (libc.so.6)
Process 4300: python train.py --config a.yaml
Python v3.12.3 (/usr/bin/python3.12)
Parent Process 4242: python train.py --config a.yaml

Thread 4300 (active): "MainThread"
    decode (PIL/ImageFile.py:270)
    __getitem__ (data.py:12)
    _worker_loop (torch/utils/data/_utils/worker.py:349)
    run (multiprocessing/process.py:108)
    <module> (train.py:120)
`;

async function read(text: string, options?: ReadRecordOptions) {
  const { content, problems } = await readRecord(pySpyDumpFormat, text, options);
  if (content.kind !== 'host-profile') throw new Error(content.kind);
  return { ...content.profile, problems };
}

test('threads have a part, a state and the lock; functions count once each', async () => {
  expect(sniffFormat(Buffer.from(DUMP))?.id).toBe('py-spy-dump');
  const { source, unit, rank, threads, functions, activities, problems } = await read(DUMP, {
    path: 'dump.rank1.txt',
  });
  expect(problems).toEqual({});
  expect([source, unit, rank]).toEqual(['py-spy-dump', 'samples', 1]);
  const main = '4242: python train.py';
  expect(threads.map((t) => [t.name, t.process, t.role, t.idleWeight, t.gilWeight])).toEqual([
    ['MainThread', main, 'main', 0, 1],
    ['pt_autograd_0', main, 'other', 0, 0],
    ['Thread-1 (_pin_memory_loop)', main, 'other', 1, 0],
    ['Thread 4260', main, 'other', 0, 0],
    ['MainThread', main.replace('4242', '4300'), 'loader-worker', 0, 0],
  ]);
  expect(activities.main).toEqual({ tokenisation: 1 });
  expect(activities['loader-worker']).toEqual({ 'image-decoding': 1 });
  expect(
    functions
      .filter((f) => f.role === 'main')
      .map((f) => [f.name, f.file, f.selfWeight, f.inclusiveWeight, f.gilWeight]),
  ).toEqual([
    ['encode_batch', 'tokenizers/__init__.py', 1, 1, 1],
    ['collate_fn', 'train.py', 0, 1, 0],
    ['main', 'train.py', 0, 1, 0],
    ['<module>', 'train.py', 0, 1, 0],
  ]);
  // Idle threads name nothing, and frames without a line have a file all the same.
  expect(functions.some((f) => f.name === 'select')).toBe(false);
  expect(functions).toContainEqual(expect.objectContaining({ name: '__libc_read', file: 'libc.so.6' }));
});

test('dumps of a terminal, one after the other, are samples of the same threads', async () => {
  const coloured = DUMP.replace(/^Thread (\S+)/gm, 'Thread \u001b[1;33m$1\u001b[0m').replace(
    /^ {4}(\S+)/gm,
    '    \u001b[32m$1\u001b[0m',
  );
  expect(sniffFormat(Buffer.from(coloured))?.id).toBe('py-spy-dump');
  const once = await read(DUMP);
  const { threads, functions } = await read((DUMP + coloured).replace(/\n/g, '\r\n'));
  expect(threads.map((t) => t.sampleCount)).toEqual([2, 2, 2, 2, 2]);
  expect(functions).toHaveLength(once.functions.length);
});

test('the flame graph that py-spy draws is said to be one', () => {
  const svg = Buffer.from(
    '<?xml version="1.0" standalone="no"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg width="1">',
  );
  expect(sniffFormat(svg)).toBeNull();
  expect(describeUnknown(svg)).toMatch(/^an SVG image; .*speedscope/);
});

test('torn dumps give what they have; text without threads is refused', async () => {
  for (let length = 0; length < DUMP.length; length += 97)
    await read(DUMP.slice(length)).catch((error: unknown) =>
      expect(String(error)).toMatch(/holds no thread/),
    );
  await expect(read('nothing\n')).rejects.toThrow(
    'file holds no thread. Upload what py-spy dump --pid PID printed.',
  );
});
