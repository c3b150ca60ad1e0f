import { hostEvent, kernelEvent, readTrace, traceOf } from '../../../../test/builders/kineto-trace';
import { InputRefused } from '../../timeline/input-refused';
import { kinetoFormat } from './index';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('sniff', () => {
  it.each([
    ['an object with events', traceOf([hostEvent('a', 1, 1)])],
    ['events after the head', `{"schemaVersion": 1, "deviceProperties": [], "job": "${'x'.repeat(70_000)}`],
    ['a bare array', `[\n {"name": "a", "args": {"b": {}}, "ph": "X"}`],
    ['a byte order mark', `\uFEFF{"traceEvents": []}`],
  ])('takes %s', (_, text) => {
    expect(kinetoFormat.sniff(bytesOf(text).subarray(0, 65_536))).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['text', 'Epoch 1: loss 0.3'],
    ['a log that begins with a bracket', '[2024-01-01 00:00:00] {"ph" is missing}'],
    ['other JSON', '{"schemaVersion": 2, "steps": []}'],
    ['JSON lines', '{"host_s": 0.1}\n{"host_s": 0.2}'],
    ['an array of numbers', '[1, 2, 3]'],
    [
      'a speedscope file',
      '{"$schema": "https://www.speedscope.app/file-format-schema.json", "profiles": []}',
    ],
  ])('leaves %s', (_, text) => {
    expect(kinetoFormat.sniff(bytesOf(text))).toBe(false);
  });
});

describe('refusals', () => {
  const begin = '{"ph":"B","name":"alpha","pid":0,"tid":0,"ts":0}';
  it.each([
    ['empty-file', '', /empty/],
    ['unreadable', 'not a trace', /not JSON/],
    ['unreadable', '[[[[[[', /no event/],
    ['not-a-gpu-trace', '{"a": 1}', /without trace events/],
    ['not-a-gpu-trace', '{"traceEvents": []}', /without trace events/],
    ['not-a-gpu-trace', `[${begin}]`, /CPU profiler/],
    ['not-a-gpu-trace', `[${begin},`, /CPU profiler/],
    [
      'not-a-gpu-trace',
      traceOf([hostEvent('ParseHTML', 1, 1, { cat: 'blink,devtools.timeline' })]),
      /web page/,
    ],
    ['not-a-gpu-trace', traceOf([hostEvent('gemm', 1, 1, { cat: 'nvtx' })]), /Nsight Systems/],
    ['not-a-gpu-trace', traceOf([hostEvent('x', 1, 1, { cat: 'PERF\n' })]), /categories PERF/],
  ])('say %s for %s', async (code, text, message) => {
    const failure = readTrace(text);
    await expect(failure).rejects.toBeInstanceOf(InputRefused);
    await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await expect(failure).rejects.toMatchObject({ message: expect.not.stringContaining('\n') });
  });

  it('do not meet traces with little in them', async () => {
    const cpuOnly = await readTrace(traceOf([hostEvent('aten::mm', 1, 1)]));
    expect(cpuOnly.problems.count('no-device-events')).toBe(1);
    const empty = await readTrace('{"schemaVersion": 1, "traceEvents": []}');
    expect(empty.timeline.eventsRead).toBe(0);
    const withDevice = await readTrace(traceOf([kernelEvent('k', 1, 1, 1)]));
    expect(withDevice.problems.count('no-device-events')).toBe(0);
  });
});
