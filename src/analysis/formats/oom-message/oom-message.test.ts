import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord, type ReadRecordOptions } from '../../../../test/builders/read-record';
import { ALL_FORMATS } from '..';
import { textLogFormats } from '../text-log';
import { oomMessages } from '.';
import { oomCauseOf } from './oom-cause';
import { parseOomMessage } from './parse-message';

const [oomMessageFormat] = textLogFormats([oomMessages]);

const recording = readFileSync(
  join(__dirname, '../../../../test/recordings/oom-message/capped-process.txt'),
  'utf8',
);
const MIB = 2 ** 20;
const gib = (n: number): number => Math.round(n * 2 ** 30);
const mib = (n: number): number => Math.round(n * MIB);

async function read(text: string, options?: ReadRecordOptions) {
  const { content, problems } = await readRecord(oomMessageFormat, text, options);
  if (content.kind !== 'oom-message') throw new Error(content.kind);
  return { messages: content.report.messages, problems };
}

test('a recording: the job had set a cap for itself, and the device was nearly empty', async () => {
  const { messages, problems } = await read(recording);
  expect(problems).toEqual({});
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({
    backend: 'CUDA',
    rank: null,
    device: 0,
    requestedBytes: gib(1.65),
    capacityBytes: gib(139.8),
    freeBytes: gib(123.77),
    allowedBytes: gib(16.78),
    processBytes: gib(16.02),
    allocatedBytes: gib(14.9),
    unallocatedBytes: mib(472.74),
    reservedBytes: gib(14.9) + mib(472.74),
    otherProcesses: [],
    count: 1,
  });
  const { cause, missingBytes } = oomCauseOf(messages[0]);
  expect(cause).toBe('own-cap');
  expect((missingBytes ?? 0) / MIB).toBeCloseTo((14.9 + 1.65 - 16.78) * 1024 + 472.74, 3);
});

describe('wordings over the versions', () => {
  test.each([
    [
      'RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 1; 11.17 GiB total capacity; 10.62 GiB already allocated; 832.00 KiB free; 1.02 MiB cached)',
      {
        device: 1,
        requestedBytes: mib(20),
        capacityBytes: gib(11.17),
        freeBytes: 832 * 1024,
        allocatedBytes: gib(10.62),
        reservedBytes: mib(1.02),
      },
    ],
    [
      'RuntimeError: CUDA out of memory. Tried to allocate 2.26 GiB (GPU 0; 6.00 GiB total capacity; 781.59 MiB already allocated; 1.03 GiB free; 1.24 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.',
      {
        device: 0,
        requestedBytes: gib(2.26),
        freeBytes: gib(1.03),
        unallocatedBytes: gib(1.24) - mib(781.59),
        reservedBytes: gib(1.24),
      },
    ],
    [
      'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 512 bytes (GPU 0; 15.78 GiB total capacity; 1 GiB already allocated; 0 bytes free; 5.00 GiB allowed; 2.00 GiB reserved in total by PyTorch)',
      { requestedBytes: 512, freeBytes: 0, allowedBytes: gib(5) },
    ],
    [
      'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacty of 79.15 GiB of which 1.20 GiB is free. Process 711 has 40.00 GiB memory in use. Process 9 has 17179869184.00 GiB memory in use. Of the allocated memory 36.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated.',
      {
        device: 3,
        capacityBytes: gib(79.15),
        otherProcesses: [
          { pid: 711, usedBytes: gib(40) },
          { pid: 9, usedBytes: null },
        ],
      },
    ],
    [
      '[rank7]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 7 has a total capacity of 79.10 GiB of which 100.00 MiB is free. Including non-PyTorch memory, this process has 79.00 GiB memory in use. Of the allocated memory 70.00 GiB is allocated by PyTorch, with 20.00 GiB allocated in private pools (e.g., CUDA Graphs), and 300.00 MiB is reserved by PyTorch but unallocated.',
      {
        rank: 7,
        device: 7,
        processBytes: gib(79),
        allocatedBytes: gib(70),
        privatePoolBytes: gib(20),
        unallocatedBytes: mib(300),
      },
    ],
    [
      'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 63.98 GiB of which 2.00 GiB is free.',
      { backend: 'HIP', requestedBytes: gib(4), freeBytes: gib(2) },
    ],
    [
      'RuntimeError: MPS backend out of memory (MPS allocated: 10.00 GB, other allocations: 5.00 MB, max allowed: 18.13 GB). Tried to allocate 9.00 GB on private pool.',
      { backend: 'MPS', allocatedBytes: gib(10), allowedBytes: gib(18.13), requestedBytes: gib(9) },
    ],
    ['RuntimeError: CUDA error: out of memory', { backend: 'CUDA', requestedBytes: null, device: null }],
    [
      'RuntimeError: cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/generic/THCStorage.cu:58',
      { requestedBytes: null },
    ],
    [
      'XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 1073741824 bytes.',
      { backend: 'JAX', requestedBytes: gib(1) },
    ],
  ])('%s', (line, expected) => {
    expect(parseOomMessage(line)).toMatchObject(expected);
  });

  test.each(['except RuntimeError as e: if "CUDA out of memory" in str(e):', 'all is well', 'out of memory'])(
    'no message: %s',
    (line) => {
      expect(parseOomMessage(line)).toBeNull();
    },
  );
});

describe('what a message means', () => {
  const device = 'GPU 0 has a total capacity of 80.00 GiB of which 1.00 GiB is free.';
  test.each([
    ['Tried to allocate 90.00 GiB. ' + device, 'larger-than-device', gib(89)],
    [
      `Tried to allocate 2.00 GiB. ${device} Of the allocated memory 60.00 GiB is allocated by PyTorch, and 18.00 GiB is reserved by PyTorch but unallocated.`,
      'fragmentation',
      gib(1),
    ],
    [
      `Tried to allocate 2.00 GiB. ${device} Of the allocated memory 78.00 GiB is allocated by PyTorch, with 30.00 GiB allocated in private pools (e.g., CUDA Graphs), and 1.00 GiB is reserved by PyTorch but unallocated.`,
      'graph-pools',
      gib(1),
    ],
    [
      `Tried to allocate 2.00 GiB. ${device} Process 5 has 40.00 GiB memory in use. Of the allocated memory 38.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated.`,
      'other-processes',
      gib(1),
    ],
    [
      `Tried to allocate 2.00 GiB. ${device} Including non-PyTorch memory, this process has 79.00 GiB memory in use. Of the allocated memory 78.00 GiB is allocated by PyTorch, and 0.50 GiB is reserved by PyTorch but unallocated.`,
      'device-full',
      gib(1),
    ],
    ['', 'not-told', null],
  ])('%s', (text, cause, missingBytes) => {
    const message = parseOomMessage(`CUDA out of memory. ${text}`);
    expect(message && oomCauseOf(message)).toEqual({ cause, missingBytes });
  });
});

test('the same message is counted, others are kept, up to a bound', async () => {
  const line = (i: number) => `[rank${i % 2}]: CUDA out of memory. Tried to allocate ${i}.00 MiB.\n`;
  const { messages } = await read(line(1).repeat(3) + line(2));
  expect(messages.map(({ rank, count }) => [rank, count])).toEqual([
    [1, 3],
    [0, 1],
  ]);
  const many = await read(Array.from({ length: 1030 }, (_, i) => line(i)).join(''));
  expect(many.messages).toHaveLength(1024);
  expect(many.problems).toEqual({ 'record-limit-reached': 6 });
});

test('no other format takes it, and it takes no quoting program', () => {
  const taken = (text: string) =>
    ALL_FORMATS.filter((format) => format.sniff(new TextEncoder().encode(text))).map(({ id }) => id);
  expect(taken(recording)).toEqual(['oom-message']);
  expect(taken('if "CUDA out of memory" in str(error): retry()\n')).toEqual([]);
});

test('what else stands in the line of a message is cut, and secrets in it are masked', () => {
  const line = `CUDA out of memory. Tried to allocate 2.00 GiB. HF_TOKEN=hf_abc http://me:pw@proxy ${'x'.repeat(500)}`;
  const text = parseOomMessage(line)?.text ?? '';
  expect(text).toContain('HF_TOKEN=*** http://***@proxy');
  expect(text).toHaveLength(400);
});
