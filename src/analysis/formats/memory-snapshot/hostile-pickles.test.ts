import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pickle, pickled } from '../../../../test/builders/pickle';
import { readRecord } from '../../../../test/builders/read-record';
import { TEST_LIMITS } from '../../../../test/builders/kineto-trace';
import { ProblemLog } from '../../timeline/problem';
import { describeUnknown, sniffFormat } from '../sniff';
import { memorySnapshotFormat } from '.';

const read = (file: Uint8Array) => readRecord(memorySnapshotFormat, file, { path: 'a.pickle' });
/** Opcodes after the protocol and a first word that a snapshot has. */
const crafted = (...opcodes: (number | string)[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x80, 4, 0x7d, 0x94, 0x28, 0x8c, 8]),
    Buffer.from('segments'),
    ...opcodes.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part, 'latin1'))),
  ]);

test.each([
  ['GLOBAL', crafted('cos\nsystem\n')],
  ['STACK_GLOBAL', crafted(0x8c, 2, 'os', 0x8c, 6, 'system', 0x93)],
  ['REDUCE', crafted('N)R')],
  ['BUILD', crafted('}}b')],
  ['INST', crafted('(ios\nsystem\n')],
  ['OBJ', crafted('(No')],
  ['NEWOBJ', crafted('N)', 0x81)],
  ['NEWOBJ_EX', crafted('N)}', 0x92)],
  ['EXT1', crafted(0x82, 1)],
  ['BINPERSID', crafted('NQ')],
  ['0x42', crafted('B\0\0\0\0')],
  ['0x8f', crafted(0x8f)],
])('the opcode %s is refused in one line', async (name, file) => {
  expect(sniffFormat(file)?.id).toBe('memory-snapshot');
  await expect(read(file)).rejects.toThrow(
    new RegExp(
      `^a\\.pickle: a pickle that is not read, because it holds the opcode ${name}, .*_dump_snapshot\\(\\) wrote\\.$`,
    ),
  );
});

test.each([
  [
    'protocol 9',
    Buffer.concat([Buffer.from([0x80, 9]), pickled({ segments: [] }).subarray(2)]),
    /protocol 9/,
  ],
  ['a reference to nothing', crafted('h', 9), /refers to something/],
  ['a place of the memo far away', crafted('Nr\xff\xff\xff\x7f'), /out of order/],
  ['items without a beginning', crafted('Nuu'), /items have no beginning/],
  ['a dict of nothing', crafted('ssss'), /dict in it has no sense/],
  ['half an entry', crafted('NNu'), /dict in it has no sense/],
  ['a list of nothing', crafted('(NNe'), /list in it has no sense/],
  ['a tuple of nothing', crafted('(', 0x87), /tuple in it has no sense/],
  ['values without end', crafted('N'.repeat(5_000_000)), /values are open at once/],
  ['marks without end', crafted('('.repeat(5_000_000)), /nested too deep/],
  ['no segment', pickled({ other: 'segments' }), /without segments/],
])('%s is refused', async (_, file, message) => {
  await expect(read(file)).rejects.toThrow(message);
});

test('a text of any length is passed over', async () => {
  const segments = [{ device: 0, total_size: 1, blocks: [{ size: 1, state: 'inactive' }] }];
  const file = pickled({ note: 'x'.repeat(100_000), segments });
  for (const chunkBytes of [999, file.length]) {
    const { content, problems } = await readRecord(memorySnapshotFormat, file, { chunkBytes });
    expect(content).toMatchObject({ snapshot: { devices: [{ freeBytes: 1 }] } });
    expect(problems).toEqual({ 'oversized-event': 1 });
  }
  const claimed = crafted(']', 0x8d, '\0\0\0\0\x02\0\0\0', 'x'.repeat(100));
  await expect(read(claimed)).rejects.toThrow(/without segments/);
});

test('lists and dicts that hold themselves end', async () => {
  // d = {}; d['segments'] = [d]; d['x'] = d
  const { problems } = await read(crafted(']h\0a', 0x8c, 1, 'x', 'h\0u.'));
  expect(problems).toEqual({});
});

test('other pickles are said to be what they are', () => {
  const weights = Buffer.from('\x80\x02ctorch._utils\n_rebuild_tensor_v2\nq\x00.', 'latin1');
  expect(sniffFormat(weights)).toBeNull();
  expect(describeUnknown(weights)).toBe('a pickle file');
});

test('a history of 20 MB leaves only its sums behind', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heldBytes = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const frames = Array.from({ length: 500 }, (_, i) =>
    Object.freeze({ name: `layer_${i}`, filename: `/home/user/model_${i % 9}.py`, line: i }),
  );
  const eventCount = 80_000;
  function* events(): Generator<unknown> {
    for (let i = 0; i < eventCount; i++)
      yield {
        action: i % 2 === 0 ? 'alloc' : 'free_requested',
        size: 4096,
        time_us: 1_795_993_200_000_000 + i,
        frames: Array.from({ length: 40 }, (_, k) => frames[(7 * i + k) % 500]),
      };
  }
  let sizeBytes = 0;
  let mostBytes = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const chunk of pickle({ segments: [], device_traces: [events] }, 'torch')) {
      sizeBytes += chunk.length;
      yield chunk;
      if (sizeBytes % 40 === 0) mostBytes = Math.max(mostBytes, heldBytes());
    }
    mostBytes = Math.max(mostBytes, heldBytes());
  }
  const before = heldBytes();
  const context = { path: 'a.pickle', problems: new ProblemLog(), limits: TEST_LIMITS };
  const content = await memorySnapshotFormat.read(source(), context);
  expect(content).toMatchObject({
    snapshot: { devices: [{ trace: { eventCount, allocationCount: eventCount / 2 } }] },
  });
  expect(sizeBytes).toBeGreaterThan(20e6);
  expect(mostBytes).toBeGreaterThan(0);
  expect(mostBytes - before).toBeLessThan(12e6);
});
