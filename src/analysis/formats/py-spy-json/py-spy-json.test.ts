import { readRecord } from '../../../../test/builders/read-record';
import { sniffFormat } from '../sniff';
import { pySpyJsonFormat } from '.';

const frame = (name: string, filename: string) => ({
  name,
  filename,
  module: null,
  short_filename: filename,
  line: 3,
});
const thread = (about: Record<string, unknown>) => ({
  ...{ pid: 7, thread_id: 140, thread_name: 'MainThread', os_thread_id: 7, active: true, owns_gil: false },
  frames: [frame('emit', 'logging/__init__.py'), frame('main', 'train.py')],
  ...about,
});

async function read(value: unknown) {
  const { content, problems } = await readRecord(pySpyJsonFormat, JSON.stringify(value));
  if (content.kind !== 'host-profile') throw new Error(content.kind);
  return { ...content.profile, problems };
}

test('threads with their state and the lock, innermost frame first', async () => {
  const dump = [
    thread({ owns_gil: true }),
    thread({ thread_name: null, os_thread_id: 9, active: false }),
    { pid: 7 },
  ];
  expect(sniffFormat(Buffer.from(JSON.stringify(dump, null, 2)))?.id).toBe('py-spy-json');
  const { threads, functions, problems } = await read(dump);
  expect(problems).toEqual({ 'malformed-event': 1 });
  expect(threads.map((t) => [t.process, t.name, t.role, t.idleWeight, t.gilWeight])).toEqual([
    ['7', 'MainThread', 'main', 0, 1],
    ['7', 'Thread 9', 'other', 1, 0],
  ]);
  expect(functions.map((f) => [f.name, f.activity, f.selfWeight, f.gilWeight])).toEqual([
    ['emit', 'logging', 1, 1],
    ['main', 'user-code', 0, 0],
  ]);
});

test.each([[[]], [{ frames: [] }], [[1, 'a', null]]])('%j is refused', async (value) => {
  await expect(read(value)).rejects.toThrow(/holds no thread/);
});
