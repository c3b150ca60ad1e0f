import * as fc from 'fast-check';
import {
  deviceNames,
  hostEvent,
  hostNames,
  kernelEvent,
  readTrace,
  runtimeEvent,
  traceOf,
} from '../../../../test/builders/kineto-trace';
import { ProblemLog } from '../../timeline/problem';
import { kinetoFormat } from './index';

const EVENTS = [
  hostEvent('aten::mm', 1, 9, { args: { 'Input Dims': [[2, 3], []], nested: { a: [1, '}'] } } }),
  runtimeEvent('cudaLaunchKernel', 2, 1, 5),
  kernelEvent('gemm "x\\y" é', 12, 4, 5),
  hostEvent('ProfilerStep#2', 0, 30, { cat: 'user_annotation' }),
];

describe('a trace that ends early', () => {
  const head = '{"schemaVersion": 1,\n "traceEvents": [\n';
  const bytes = new TextEncoder().encode(`${head}${EVENTS.join(',\n')}\n], "traceName": "t"}`);
  const ends = EVENTS.map(
    (_, i) => new TextEncoder().encode(head + EVENTS.slice(0, i + 1).join(',\n')).length,
  );

  it('yields the events before the cut, at every byte', async () => {
    for (let cut = 1; cut < bytes.length; cut++) {
      const { timeline, problems } = await readTrace(bytes.subarray(0, cut), { chunkSizes: [cut % 40 || 1] });
      expect(timeline.host.count + timeline.device.count).toBe(ends.filter((end) => end <= cut).length);
      expect(timeline.truncated).toBe(true);
      expect(problems.count('truncated-file')).toBe(1);
      expect(problems.count('malformed-event')).toBe(0);
    }
  });

  it('is told by the source', async () => {
    const { timeline } = await readTrace(bytes.subarray(0, ends[1]), { cutSource: true });
    expect(hostNames(timeline)).toEqual(['aten::mm', 'cudaLaunchKernel']);
    expect(timeline.truncated).toBe(true);
    expect((await readTrace(bytes, { cutSource: true })).timeline.eventsRead).toBe(EVENTS.length);
  });

  it('passes other errors of the source on', async () => {
    const context = {
      path: 'x',
      problems: new ProblemLog(),
      limits: { maxEvents: 9, maxEventBytes: 999, maxStringBytes: 9999 },
    };
    const early = (async function* () {
      yield bytes.subarray(0, 50);
      throw new Error('disk');
    })();
    await expect(kinetoFormat.read(early, context)).rejects.toThrow('disk');
  });
});

const counts = (problems: ProblemLog) => problems.list().map(({ kind, count }) => [kind, count]);

describe('text that is not quite JSON', () => {
  const read = async (...events: string[]) =>
    readTrace(traceOf([...events, hostEvent('after', 99, 1)]), { chunkSizes: [13] });
  const named = (name: string) =>
    `{"ph": "X", "cat": "cpu_op", "name": "${name}", "pid": 1, "tid": 1, "ts": 1, "dur": 1}`;

  it.each([
    ['raw quotes', 'lambda "x" of "y"', 'lambda "x" of "y"', 1],
    ['raw quotes and commas', 'f("a", b, "c")', 'f("a", b, "c")', 1],
    ['a raw quote before a colon', 'x":y', 'x":y', 1],
    ['an unknown escape', 'C:\\code\\qtools', 'C:\\code\\qtools', 1],
    ['a short escape', 'a\\u12', 'a\\u12', 1],
    ['a lone surrogate', 'a\\ud800b', 'a\uFFFDb', 0],
    ['a surrogate pair', '\\ud83d\\ude00', '\u{1F600}', 0],
    ['control bytes', 'a\u0001b\u0000', 'a\uFFFDb\uFFFD', 1],
    ['a raw line feed', 'a\nb', 'a\nb', 1],
    ['escaped quotes and slashes', '\\"a\\"\\/b', '"a"/b', 0],
  ])('is read with %s', async (_, written, name, invalid) => {
    const { timeline, problems } = await read(named(written));
    expect(hostNames(timeline)).toEqual([name, 'after']);
    expect(problems.count('invalid-text')).toBe(invalid);
    expect(problems.count('malformed-event')).toBe(0);
  });

  it('is read with invalid UTF-8', async () => {
    const bytes = new TextEncoder().encode(traceOf([named('a#b')]));
    bytes[bytes.indexOf(0x23)] = 0xff;
    const { timeline, problems } = await readTrace(bytes);
    expect(hostNames(timeline)).toEqual(['a\uFFFDb']);
    expect(problems.count('invalid-text')).toBe(1);
  });

  it.each(['N/A', 'nan', 'NaN', 'inf', '-inf', 'Infinity', 'None', '0x1f', '"a "b" c"', '1,', ''])(
    'is read with the argument %s',
    async (value) => {
      const { timeline, problems } = await read(
        `{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"args":{"bytes": 64, "memory bandwidth (GB/s)": ${value}, "stream": 7},"ts":1,"dur":1}`,
      );
      const lost = value === '' ? 1 : 0;
      expect(deviceNames(timeline)).toEqual(lost ? [] : ['k']);
      expect(problems.count('malformed-event')).toBe(lost);
      expect(hostNames(timeline)).toEqual(['after']);
    },
  );

  it.each([
    ['a missing closing brace', '{"ph":"X","cat":"cpu_op","name":"lost","args":{"a":1'],
    ['two missing braces', '{"ph":"X","cat":"cpu_op","args":{"b":{"a":1'],
    ['a missing quote', '{"ph":"X","cat":"cpu_op","name":"lost,"ts":1,"dur":1}'],
    ['words between events', 'Killed by signal 9'],
    ['a number between events', '17'],
    ['a stray brace', '}'],
    ['a raw quote before brackets', named('f("}] x')],
    ['a raw quote before all brackets', named('f("}]} x')],
    ['mixed brackets', '{"ph":"X","args":[1,{"a":2]}'],
    ['deep nesting', `{"ph":"X","args":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`],
    ['bytes of another file', '{"ph":\u0000\u0001\u0002{{{{""""'],
  ])('loses one event with %s', async (_, broken) => {
    const { timeline, problems } = await read(named('before'), broken, named('between'));
    expect(hostNames(timeline)).toEqual(['before', 'between', 'after']);
    expect(problems.count('malformed-event')).toBeGreaterThanOrEqual(1);
    expect(problems.list().find(({ kind }) => kind === 'malformed-event')?.example).toBeTruthy();
    expect(timeline.truncated).toBe(false);
  });

  it('does not take an argument of a broken event for an event', async () => {
    const { timeline, problems } = await read(
      '{"ph":"X","cat" "cpu_op","args":{"name":"inner","a":[{"b":1}]},"ts":1}',
    );
    expect(hostNames(timeline)).toEqual(['after']);
    expect(timeline.eventsRead).toBe(1);
    expect(problems.count('malformed-event')).toBe(1);
  });

  it('finds events that an unclosed string has swallowed up to the end of a cut file', async () => {
    const cut = '{"ph":"X","args":{"Call stack":"cut';
    const { timeline, problems } = await readTrace(`[${named('before')},${cut}\n${named('after')}`);
    expect(hostNames(timeline)).toEqual(['before', 'after']);
    expect(problems.count('malformed-event')).toBe(1);
    expect(timeline.truncated).toBe(true);
  });

  it('ends the list after a broken last event', async () => {
    for (const text of [
      `[${named('a')}, {"ph": oops}}]`,
      `{"traceEvents": [${named('a')}, {"ph"}], "with_stack": 1}`,
    ]) {
      const { timeline } = await readTrace(text, { chunkSizes: [1] });
      expect(hostNames(timeline)).toEqual(['a']);
      expect(timeline.truncated).toBe(false);
      expect(timeline.metadata.withStack).toBe(text.startsWith('{'));
    }
  });

  it('never fails on arbitrary damage', async () => {
    const text = new TextEncoder().encode(traceOf([...EVENTS, ...EVENTS, ...EVENTS]));
    const damage = fc.array(fc.tuple(fc.nat(text.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(damage, fc.integer({ min: 1, max: 50 }), async (changes, size) => {
        const bytes = text.slice();
        for (const [at, value] of changes) if (at > text.indexOf(0x5b)) bytes[at] = value;
        const whole = await readTrace(bytes);
        const cut = await readTrace(bytes, { chunkSizes: [size] });
        expect(cut.timeline.eventsRead).toBe(whole.timeline.eventsRead);
        expect(counts(cut.problems)).toEqual(counts(whole.problems));
        // Each changed byte may spoil two events: the one it stands in and the one it runs into.
        expect(whole.timeline.eventsRead).toBeGreaterThanOrEqual(3 * EVENTS.length - 2 * changes.length);
      }),
      { numRuns: 1000 },
    );
  });
});
