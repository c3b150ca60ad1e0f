import * as fc from 'fast-check';
import { hostNames, readTrace } from '../../../../test/builders/kineto-trace';
import { NO_ID, type RankTimeline } from '../../timeline/rank-timeline';

/** Anything that JSON can write as a string: every plane, quotes, backslashes, control characters, lone surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const anyId = fc.oneof(
  fc.integer({ min: -5, max: 2 ** 40 }),
  fc.constantFrom('Spans', '', 'stream 7', 'a"b'),
);

/** A time in microseconds in one of the ways that JSON allows, as raw text. */
const timeText = (min: number) =>
  fc
    .tuple(
      fc.integer({ min, max: 10_000_000_000 }),
      fc.constantFrom('fixed', 'integer', 'exponent', 'string'),
    )
    .map(([ns, form]) => {
      if (form === 'integer') return String(Math.trunc(ns / 1000));
      const fixed = (ns / 1000).toFixed(3);
      return form === 'fixed' ? fixed : form === 'string' ? `"${fixed}"` : (ns / 1000).toExponential();
    });

/** Spells a string as JSON, with some characters escaped that need not be. */
const spelled = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.integer({ min: 0, max: 7 }))
    .map(([value, every]) =>
      JSON.stringify(value).replace(/(?<!\\)[a-zA-Z /]/g, (char, at: number) =>
        every > 0 && at % every === 0 && !isEscapeTail(JSON.stringify(value), at)
          ? char === '/'
            ? '\\/'
            : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
          : char,
      ),
    );

/** True when the character at `at` belongs to an escape sequence. */
function isEscapeTail(json: string, at: number): boolean {
  return json.slice(Math.max(0, at - 5), at).includes('\\');
}

const json = <T>(value: fc.Arbitrary<T>) => value.map((v) => JSON.stringify(v));
const dims = json(fc.array(fc.array(fc.nat(99), { maxLength: 3 }), { maxLength: 3 }));

/** Members of `args` as pairs of key and raw text. */
const args = fc
  .record(
    {
      correlation: json(
        fc.oneof(fc.nat(), fc.bigInt(0n, 2n ** 33n).map(Number), fc.constantFrom('17', 'x', null, -1)),
      ),
      'Sequence number': json(fc.nat()),
      'Input Dims': dims,
      'Input type': json(fc.array(anyText, { maxLength: 3 })),
      'Input Strides': dims,
      hostile: json(fc.jsonValue({ maxDepth: 3 })),
      'Call stack': spelled(anyText),
      nested: json(fc.jsonValue({ maxDepth: 5 })),
    },
    { requiredKeys: [] },
  )
  .map((record) =>
    Object.entries(record).map(([key, text]): [string, string] => [
      key === 'hostile' ? '__proto__' : key,
      text,
    ]),
  );

const event = fc
  .record(
    {
      ph: json(fc.constantFrom('X', 'X', 'X', 'i', 's', 'M', 'B')),
      cat: json(
        fc.constantFrom('cpu_op', 'user_annotation', 'cuda_runtime', 'python_function', 'ac2g', 'mystery'),
      ),
      name: spelled(anyText),
      pid: json(anyId),
      tid: json(anyId),
      ts: timeText(-1_000_000_000),
      dur: timeText(0),
      args,
      other: json(fc.jsonValue({ maxDepth: 4 })),
    },
    { requiredKeys: ['ph', 'cat', 'name', 'ts', 'dur'] },
  )
  .chain((record) => fc.shuffledSubarray(Object.entries(record), { minLength: Object.keys(record).length }));

const spaces = fc.array(fc.constantFrom('', '', '', ' ', '\n', '\t ', '\r\n  '), {
  minLength: 1,
  maxLength: 12,
});

/** Writes events with white space taken in turn from `gaps`. */
function write(events: Member[][], gaps: string[]): string {
  let turn = 0;
  const gap = () => gaps[turn++ % gaps.length];
  const object = (pairs: Member[]): string =>
    `{${gap()}${pairs
      .map(
        ([key, value]) =>
          `"${key}"${gap()}:${gap()}${typeof value === 'string' ? value : object(value)}${gap()}`,
      )
      .join(`,${gap()}`)}}`;
  return `{"schemaVersion":1,${gap()}"traceEvents"${gap()}:${gap()}[${gap()}${events.map(object).join(`${gap()},${gap()}`)}${gap()}]${gap()}}${gap()}`;
}

type Member = [key: string, text: string | Member[]];

/** Without an event that a profiler writes, the file would be refused. */
const ANCHOR: Member[] = Object.entries({ ph: '"X"', cat: '"cpu_op"', name: '"anchor"', ts: '0', dur: '1' });

interface Row {
  ns: number;
  durationNs: number;
  name: string;
  processId: string;
  threadId: string;
  correlation: number;
  sequence: number;
  dims: unknown;
  types: unknown;
}

const KEPT = ['cpu_op', 'user_annotation', 'cuda_runtime', 'python_function'];
const id = (value: unknown) => {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number < NO_ID
    ? number
    : NO_ID;
};

/** What a name reads as: UTF-8 has no lone surrogates, and control characters are replaced. */
const readable = (text: string) =>
  Array.from(Buffer.from(text).toString(), (char) =>
    char < ' ' && !'\t\n\r'.includes(char) ? '\uFFFD' : char,
  ).join('');

interface JsonEvent {
  ph: string;
  cat: string;
  name: string;
  ts: number | string;
  dur: number | string;
  pid?: number | string;
  tid?: number | string;
  args?: Record<string, unknown>;
}

function oracle(text: string): Row[] {
  const { traceEvents } = JSON.parse(text) as { traceEvents: JsonEvent[] };
  const rows = traceEvents
    .filter((e) => e.ph === 'X' && KEPT.includes(e.cat))
    .map((e) => ({
      ns: Math.round(Number(e.ts) * 1000),
      durationNs: Math.round(Number(e.dur) * 1000),
      name: readable(e.name),
      processId: String(e.pid ?? ''),
      threadId: String(e.tid ?? ''),
      correlation: id(e.args?.correlation),
      sequence: id(e.args?.['Sequence number']),
      dims: e.args?.['Input Dims'] ?? null,
      types: e.args?.['Input type'] ?? null,
    }));
  return rows.sort((a, b) => a.ns - b.ns || b.durationNs - a.durationNs);
}

function rowsOf(timeline: RankTimeline): Row[] {
  const { host, strings, threads, originNs } = timeline;
  const names = hostNames(timeline);
  return names.map((name, i) => ({
    ns: Number(originNs) + host.startNs[i],
    durationNs: host.endNs[i] - host.startNs[i],
    name,
    processId: threads[host.threadIndex[i]].processId,
    threadId: threads[host.threadIndex[i]].threadId,
    correlation: host.correlationId[i],
    sequence: host.sequenceNumber[i],
    dims: JSON.parse(strings.get(host.inputDimsId[i]) || 'null'),
    types: JSON.parse(strings.get(host.inputTypesId[i]) || 'null'),
  }));
}

describe('traces laid out to be hard to read', () => {
  it('agree with JSON.parse, however they are cut', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), spaces, cuts, async (events, gaps, chunkSizes) => {
        const text = write([...events, ANCHOR], gaps);
        const { timeline, problems } = await readTrace(text, { chunkSizes });
        expect(rowsOf(timeline)).toEqual(oracle(text));
        expect(timeline.eventsRead).toBe(events.length + 1);
        expect(timeline.truncated).toBe(false);
        expect(problems.count('malformed-event')).toBe(0);
      }),
      { numRuns: 1000, examples: [[[], [''], [1]]] },
    );
  });
});
