import { readRecord } from '../../../../test/builders/read-record';
import { sniffFormat } from '../sniff';
import { speedscopeFormat } from '.';

const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';
const FRAMES = [
  { name: '<module>', file: 'train.py', line: 9 },
  { name: 'collate_fn', file: 'train.py', line: 2 },
  { name: 'collate_fn', file: 'train.py', line: 3 },
  { name: '_worker_loop', file: 'torch/utils/data/_utils/worker.py' },
  { name: 'load', file: 'PIL/Image.py' },
];
const sampled = (name: string, samples: unknown, weights: unknown, unit = 'seconds') => ({
  ...{ type: 'sampled', name, unit, startValue: 0, endValue: 9, samples, weights },
});
const evented = (events: [string, number, unknown][], endValue: unknown = 10) => ({
  ...{ type: 'evented', name: 'x', unit: 'milliseconds', startValue: 0, endValue },
  events: events.map(([type, frame, at]) => ({ type, frame, at })),
});

async function read(profiles: unknown, frames: unknown = FRAMES) {
  const text = JSON.stringify({ $schema: SCHEMA, profiles, shared: { frames } });
  const { content, problems } = await readRecord(speedscopeFormat, text);
  if (content.kind !== 'host-profile') throw new Error(content.kind);
  return { ...content.profile, problems };
}

test('sampled profiles of several threads, as py-spy writes them', async () => {
  const { threads, functions, activities, unit, problems } = await read([
    sampled('Process 7 Thread 0x1F "MainThread"', [[0, 1], [0, 2], [0]], [0.01, 0.02, 0.01]),
    sampled('Process 8 Thread 0x2F "MainThread"', [[3, 4]], [0.5]),
  ]);
  expect(problems).toEqual({});
  expect(unit).toBe('ns');
  expect(threads.map((t) => [t.process, t.name, t.role, t.sampleCount, t.weight])).toEqual([
    ['7', 'MainThread', 'main', 3, 40e6],
    ['8', 'MainThread', 'loader-worker', 1, 500e6],
  ]);
  expect(activities).toEqual({
    main: { collate: 30e6, 'user-code': 10e6 },
    'loader-worker': { 'image-decoding': 500e6 },
    other: {},
  });
  expect(functions.find((f) => f.name === 'collate_fn')).toMatchObject({
    selfWeight: 30e6,
    inclusiveWeight: 30e6,
  });
});

test('evented profiles: time belongs to the stack that is open, to the end', async () => {
  const { functions, unit } = await read([
    evented([
      ['O', 0, 0],
      ['O', 1, 2],
      ['C', 1, 6],
    ]),
  ]);
  expect(unit).toBe('ns');
  expect(functions.map((f) => [f.name, f.selfWeight, f.inclusiveWeight])).toEqual([
    ['<module>', 6e6, 10e6],
    ['collate_fn', 4e6, 4e6],
  ]);
});

test('units that are no time make samples of all', async () => {
  expect((await read([sampled('a', [[0]], [2], 'none'), sampled('b', [[1]], [3])])).unit).toBe('samples');
});

test('profiles of memory are left out', async () => {
  const { problems, unit } = await read([sampled('a', [[0]], [1]), sampled('b', [[1]], [4096], 'bytes')]);
  expect([problems, unit]).toEqual([{ 'malformed-event': 1 }, 'ns']);
});

test('what does not fit is counted', async () => {
  const { problems, threads } = await read([
    sampled('a', [[0, 99], 'x', [0], [1]], [1, 1, -1, 1]),
    evented(
      [
        ['O', 0, 0],
        ['C', 1, 2],
        ['O', 1, 1],
        ['O', 77, 3],
        ['X', 0, 3],
        ['C', 0, 4],
      ],
      'never',
    ),
    { type: 'heat-map' },
  ]);
  expect(problems).toEqual({ 'malformed-event': 8 });
  expect(threads[0].sampleCount).toBe(4);
});

test.each([
  ['[]', /without samples/],
  ['{"profiles": {"length": 9}, "shared": {"__proto__": {"frames": [{"name": "a"}]}}}', /without samples/],
  ['{"profiles": [', /not valid JSON .*profiler has ended/],
])('%s is refused in one line', async (text, message) => {
  const refusal = await readRecord(speedscopeFormat, text).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ message: expect.stringMatching(message) as string });
  expect((refusal as Error).message).not.toContain('\n');
});

test('it is recognised by its schema, or by its members', () => {
  const id = (value: unknown) => sniffFormat(Buffer.from(JSON.stringify(value)))?.id;
  expect(id({ $schema: SCHEMA, profiles: [] })).toBe('speedscope');
  expect(id({ version: '0.1', shared: { frames: FRAMES }, profiles: [] })).toBe('speedscope');
  expect(id({ traceEvents: [], comment: SCHEMA })).toBe('kineto');
  expect(id({ type: 'sampler' })).toBeUndefined();
});
