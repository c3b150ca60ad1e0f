import {
  deviceNames,
  hostEvent,
  hostNames,
  kernelEvent,
  readTrace,
  runtimeEvent,
  TEST_LIMITS,
  traceOf,
} from '../../../../test/builders/kineto-trace';
import { InputRefused } from '../../timeline/input-refused';
import { ProblemLog } from '../../timeline/problem';
import { kinetoFormat } from './index';
import { MAX_THREADS } from './thread-table';
import { growthOverEightfold, LINEAR_GROWTH } from '../../../../test/builders/growth';

const many = (count: number, event: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => event(i));

describe('limits', () => {
  it('stops storing at the limit of events, still counts and reads what follows', async () => {
    const events = many(20, (i) => hostEvent(`e${i}`, i, 1));
    const text = `{"traceEvents": [${events.join(',')}], "with_stack": 1}`;
    const { timeline, problems } = await readTrace(text, { limits: { maxEvents: 5 } });
    expect(hostNames(timeline)).toEqual(['e0', 'e1', 'e2', 'e3', 'e4']);
    expect(problems.count('event-limit-reached')).toBe(15);
    expect(timeline.eventsRead).toBe(20);
    expect(timeline.metadata.withStack).toBe(true);
  });

  it('skips an event that is too large without holding it', async () => {
    const args = { text: 'a\\"}],{ '.repeat(400), raw: '#', list: many(300, () => '[') };
    // Raw quotes, each of which looks like the end of the string to one who sees only the bytes before it.
    const large = hostEvent('large', 5, 1, { args }).replace('#', 'x "{{{" y');
    const text = traceOf([hostEvent('a', 1, 1), large, hostEvent('b', 9, 1)]);
    for (const chunkSizes of [[1], [97], [1 << 20]]) {
      const { timeline, problems } = await readTrace(text, { chunkSizes, limits: { maxEventBytes: 1000 } });
      expect(hostNames(timeline)).toEqual(['a', 'b']);
      expect(problems.count('oversized-event')).toBe(1);
      expect(problems.count('malformed-event')).toBe(0);
    }
  });

  it('drops names beyond the limit, not events', async () => {
    const events = many(200, (i) => kernelEvent(`kernel ${i} ${'x'.repeat(50)}`, i, 1, i));
    const { timeline, problems } = await readTrace(traceOf(events), { limits: { maxStringBytes: 2000 } });
    expect(timeline.device.count).toBe(200);
    expect(problems.count('string-limit-reached')).toBeGreaterThan(150);
    expect(deviceNames(timeline)[199]).toBe('(name dropped)');
    expect(deviceNames(timeline)[0]).toMatch(/^kernel 0/);
  });

  it('keeps thread indexes within 16 bits', async () => {
    const events = many(
      MAX_THREADS + 10,
      (i) => `{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":${i},"ts":${i},"dur":1}`,
    );
    const { timeline, problems } = await readTrace(traceOf(events), { limits: { maxEvents: 1e6 } });
    expect(timeline.threads).toHaveLength(MAX_THREADS);
    expect(timeline.host.threadIndex[timeline.host.count - 1]).toBe(MAX_THREADS - 1);
    expect(problems.count('string-limit-reached')).toBe(10);
  });
});

describe('files made to be slow', () => {
  const repeat = (text: string, size: number) => text.repeat(Math.ceil(size / text.length));
  const good = hostEvent('good', 1, 1);

  it.each<[string, (size: number) => string]>([
    ['open brackets', (size) => `[${good},${repeat('[', size)}`],
    ['open braces', (size) => `{"traceEvents":[${good},${repeat('{"ph":', size)}`],
    ['braces that begin events', (size) => `[${good},${repeat('{"ph":{', size)}]`],
    ['strings that begin events', (size) => `[${good},${repeat(',{"ph":" ', size)}", : }]`],
    [
      'strings that begin events and end in nonsense',
      (size) => `[${good},${repeat(`${',{"ph":" '.repeat(9000)}", "x" : : }`, size)}]`,
    ],
    ['quotes', (size) => `[${good},{"name":"${repeat('" ', size)}`],
    ['backslashes', (size) => `[${good},{"name":"${repeat('\\', size)}`],
    ['commas', (size) => `[${good}${repeat(',', size)}]`],
    ['white space', (size) => `[${good},{"name":"a"${repeat(' ', size)}`],
    ['digits', (size) => `[${good},{"ts":${repeat('9', size)}}]`],
    ['keys', (size) => `[${good},{${repeat('"a":1,', size)}}]`],
    ['empty objects', (size) => `[${good},${repeat('{},', size)}]`],
    ['members before the events', (size) => `{"a":{{${repeat('"traceEvent', size)}`],
    ['nested metadata', (size) => `{"schemaVersion":1,"a":${repeat('[', size)}`],
  ])('take no longer than their size: %s', async (_, textOf) => {
    const read = async (size: number) => {
      const text = textOf(size);
      const limits = { maxEventBytes: 1 << 19 };
      const result = await readTrace(text, { chunkSizes: [65_536], limits }).catch((error: unknown) => error);
      if (result instanceof Error) expect(result).toBeInstanceOf(InputRefused);
      else expect(result).toMatchObject({ timeline: { host: { count: text.includes(good) ? 1 : 0 } } });
    };
    expect(await growthOverEightfold(read, 1 << 18)).toBeLessThan(LINEAR_GROWTH);
  });

  it('take no longer with one event that arrives in many chunks', async () => {
    const read = async (size: number) => {
      const event = new TextEncoder().encode(`[{"name":"${'x'.repeat(size)}"}, ${good}]`);
      const chunks = (async function* () {
        for (let at = 0; at < event.length; at += 65_536) yield event.subarray(at, at + 65_536);
      })();
      const context = {
        path: 'x',
        problems: new ProblemLog(),
        limits: { ...TEST_LIMITS, maxEventBytes: 1 << 26 },
      };
      await expect(kinetoFormat.read(chunks, context)).resolves.toMatchObject({ kind: 'timelines' });
    };
    expect(await growthOverEightfold(read, 6 << 20)).toBeLessThan(LINEAR_GROWTH);
  });

  it('take no longer with launches made to repeat', async () => {
    const read = async (count: number) => {
      const calls = many(count, () => runtimeEvent('cudaLaunchKernel', 1, 1, 7));
      const kernels = many(count, (i) => kernelEvent('k', 2 + i, 1, 7));
      const { timeline } = await readTrace(traceOf([...calls, ...kernels]), { limits: { maxEvents: 1e6 } });
      expect(timeline.device.launchIndex.every((row) => row === 0)).toBe(true);
    };
    expect(await growthOverEightfold(read, 1_000)).toBeLessThan(LINEAR_GROWTH);
  });
});
