import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { damage, damaged } from '../../../test/builders/damage';
import { readText } from '../../../test/builders/read-format';
import { InputRefused } from '../timeline/input-refused';
import { type ArtifactFormat, type StepTimes } from './artifact-format';
import { gpuMonitorFormat } from './gpu-monitor';
import { GPU_READINGS, type GpuMonitor, type GpuReading } from '../timeline/gpu-monitor';
import { stepTimesFormat } from './step-times';
import { trainerStateFormat } from './trainer-state';
import { textLogFormats } from './text-log';
import { trainingLogs } from './training-log';

const [trainingLogFormat] = textLogFormats([trainingLogs]);

const recording = (name: string) =>
  readFileSync(join(__dirname, '../../../test/recordings/gpu-monitor', name));
const lines = (count: number, line: (i: number) => string) =>
  Buffer.from(Array.from({ length: count }, (_, i) => line(i)).join('\n'));

const FILES: [string, ArtifactFormat, Buffer][] = [
  ['dmon', gpuMonitorFormat, recording('ddp_healthy.dmon.txt')],
  ['query CSV', gpuMonitorFormat, recording('ddp_healthy.nvidia-smi.csv')],
  ['JSON Lines', stepTimesFormat, lines(20, (i) => `{"step": ${i}, "host_s": 0.025, "device_ms": 35.6613}`)],
  [
    'Megatron-LM',
    trainingLogFormat,
    lines(12, (i) => ` iteration ${i}/ 99 | elapsed time per iteration (ms): 270.4 | TFLOPs: 147.61 |`),
  ],
  [
    'progress bar',
    trainingLogFormat,
    lines(12, (i) => ` 5%|▌         | ${i}/500 [00:${10 + 4 * i}<03:58,  2.00it/s]`),
  ],
  [
    'trainer state',
    trainerStateFormat,
    Buffer.from('{"global_step": 9, "log_history": [{"step": 9, "train_runtime": 4.5}]}'),
  ],
];

function expectSaneTimes({ step, stepsAveraged, hostNs, deviceNs, figures }: StepTimes): void {
  for (const column of [stepsAveraged, hostNs, deviceNs, ...Object.values(figures)])
    expect(column).toHaveLength(step.length);
  expect(stepsAveraged.every((steps) => steps >= 1)).toBe(true);
  for (const ns of [...hostNs, ...deviceNs]) expect(Number.isNaN(ns) || (ns >= 0 && ns < 1e15)).toBe(true);
}

function expectSaneMonitor({ devices }: GpuMonitor): void {
  for (const { sampleCount, timeMs, readings } of devices) {
    expect(timeMs).toHaveLength(sampleCount);
    for (const [reading, column] of Object.entries(readings)) {
      expect(column).toHaveLength(sampleCount);
      const most = GPU_READINGS[reading as GpuReading];
      expect(column.every((value) => Number.isNaN(value) || (value >= 0 && value <= most))).toBe(true);
    }
  }
}

test.each(FILES)('a damaged file gives plausible figures or one refusal: %s', async (_, format, file) => {
  await fc.assert(
    fc.asyncProperty(damage, async (hits) => {
      try {
        const { content } = await readText(damaged(file, hits), 'damaged.txt', format);
        if (content.kind === 'step-times') expectSaneTimes(content.stepTimes);
        else if (content.kind === 'gpu-monitor') expectSaneMonitor(content.monitor);
        else throw new Error(`read as ${content.kind}`);
      } catch (error) {
        if (!(error instanceof InputRefused)) throw error;
        expect(error.message).not.toContain('\n');
      }
    }),
    { numRuns: 300, seed: 6 },
  );
});
