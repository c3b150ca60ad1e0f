import { drawTimeline, DEFAULT_UNIT_NS } from '../../../test/builders/draw-timeline';
import {
  hostEvent,
  kernelEvent,
  readTrace,
  runtimeEvent,
  traceOf,
} from '../../../test/builders/kineto-trace';
import { ProblemLog } from '../timeline/problem';
import { type RankTimeline } from '../timeline/rank-timeline';
import { computeDeviceActivity } from './device-activity';
import { findStepWindows } from './step-windows';

function stepsOf(timeline: RankTimeline) {
  const problems = new ProblemLog();
  const { from, windows } = findStepWindows(timeline, computeDeviceActivity(timeline), problems);
  return { from, windows, problems, wallsUs: windows.map((w) => (w.endNs - w.startNs) / 1000) };
}

const columns = (drawing: string) =>
  stepsOf(drawTimeline(drawing)).windows.map((w) => [
    w.startNs / DEFAULT_UNIT_NS,
    w.endNs / DEFAULT_UNIT_NS,
    w.excluded,
  ]);

test('a step lasts from its marker to the next one, the last to its end or its last kernel', () => {
  expect(
    columns(`
    step    1...2...3...
    launch  a   b   c
    kernel   aa  bb  cccccccc
  `),
  ).toEqual([
    [0, 4, 'first-recorded-step'],
    [4, 8, null],
    [8, 17, 'drains-the-device-queue'],
  ]);
});

test('of two steps one stays: the first where the last drains the queue, else the last', () => {
  const reasons = (drawing: string) => columns(drawing).map((w) => w[2]);
  expect(reasons('step    1...2...\nlaunch  a   b\nkernel   aa  bbbbbbbb')).toEqual([
    null,
    'drains-the-device-queue',
  ]);
  expect(reasons('step    1...2...\nlaunch  a   b\nkernel   aa  bb')).toEqual(['first-recorded-step', null]);
  expect(reasons('step    1...2...3...\nlaunch  a   b   c\nkernel   aa  bb  cc')).toEqual([
    'first-recorded-step',
    null,
    null,
  ]);
});

const annotation = (name: string, ts: number, dur: number) =>
  hostEvent(name, ts, dur, { cat: 'user_annotation' });

test('without markers, steps end where the optimizer does', async () => {
  const { timeline } = await readTrace(
    traceOf(
      [100, 300, 500, 700].flatMap((t) => [
        annotation('Optimizer.step#AdamW.step', t, 20),
        annotation('Optimizer.zero_grad#AdamW', t + 20, 5),
      ]),
    ),
  );
  const { from, wallsUs, problems } = stepsOf(timeline);
  expect([from, wallsUs]).toEqual(['repetition', [200, 200, 200]]);
  expect(problems.count('steps-inferred')).toBe(3);
});

test('without an optimizer, a range that recurs and covers the trace is the step, numbers in its name aside', async () => {
  const { timeline } = await readTrace(
    traceOf(
      [0, 1, 2].flatMap((n) => [
        annotation(`iteration ${n}`, 1000 * n, 900),
        annotation('forward', 1000 * n + 10, 300),
      ]),
    ),
  );
  expect(stepsOf(timeline).wallsUs).toEqual([1000, 1000, 900]);
});

test('with nothing but kernels, the longest regular recurrence is the step, not a layer', async () => {
  const events: string[] = [];
  for (let step = 0; step < 4; step++) {
    for (let k = 0; k < 9; k++) {
      const name = k === 0 ? 'embedding' : `layer_${k % 2}`;
      const correlation = step * 100 + k + 1;
      const t = step * 1000 + k * 100;
      events.push(
        runtimeEvent('cudaLaunchKernel', t, 5, correlation),
        kernelEvent(name, t + 10, 50, correlation),
      );
    }
  }
  const { timeline } = await readTrace(traceOf(events));
  expect(stepsOf(timeline)).toMatchObject({ from: 'repetition', wallsUs: [1000, 1000, 1000] });
});

test('where nothing recurs, the whole trace is one window, and says so', async () => {
  const { timeline } = await readTrace(
    traceOf([hostEvent('aten::mm', 10, 20), hostEvent('aten::add', 40, 50)]),
  );
  const { from, wallsUs, problems } = stepsOf(timeline);
  expect([from, wallsUs]).toEqual(['whole-trace', [80]]);
  expect(problems.count('no-step-markers')).toBe(1);
});
