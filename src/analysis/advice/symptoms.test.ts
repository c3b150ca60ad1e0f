import { annotation, collectives, op } from '../../../test/builders/option-cases';
import { type TrainingRun, trainingRun } from '../../../test/builders/training-run';
import { SYMPTOM_IDS, type SymptomReport } from './advice-schema';
import { readSymptoms } from './symptoms';

const busy = (at: number, dur: number, kernel = 'sm90_xmma_gemm_bf16') =>
  op('aten::mm', at, { dur, launchAt: at, kernel, kernelAt: at, kernelDur: dur });

async function seen(
  run: TrainingRun,
  inputs?: Parameters<typeof readSymptoms>[1],
): Promise<SymptomReport['symptom'][]> {
  return readSymptoms(await trainingRun(run), inputs)
    .filter((s) => s.seen)
    .map((s) => s.symptom);
}

test('a device at work shows none of them', async () => {
  expect(await seen({ step: [busy(0, 1000)] })).toEqual([]);
});

test('blanks: the loader or user code holds the device up', async () => {
  const loading = annotation('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 0, 300);
  expect(await seen({ step: [loading, busy(300, 700)] })).toEqual(['low-utilisation-with-blanks']);
});

test('gaps: launches come late', async () => {
  const late = op('aten::mm', 500, {
    dur: 500,
    launchAt: 890,
    kernel: 'gemm',
    kernelAt: 900,
    kernelDur: 100,
  });
  expect(await seen({ step: [busy(0, 500), late] })).toEqual(['low-utilisation-between-kernels']);
});

test('collectives that nothing covers', async () => {
  const step = [busy(200, 800), ...collectives('allreduce', 'allreduce')];
  expect(await seen({ step, worldSize: 2 })).toEqual(['low-utilisation-with-collectives']);
});

test('busy, yet with memory-bound or 32-bit work', async () => {
  expect(await seen({ step: [busy(0, 1000, 'vectorized_elementwise_kernel')] })).toEqual([
    'high-utilisation-but-slow',
  ]);
  expect(await seen({ step: [busy(0, 1000, 'sm80_xmma_gemm_f32f32_f32f32_f32_ffma')] })).toEqual([
    'high-utilisation-but-slow',
  ]);
});

test('memory is free beside a batch of one; beside a batch of eight it is not strange', async () => {
  const run = (batch_size: number, peak_mem: number) => ({
    step: [busy(0, 1000)],
    metadata: { world_size: 1, batch_size, peak_mem },
  });
  expect(await seen(run(1, 15e9))).toEqual(['memory-free-but-small-batch']);
  expect(await seen(run(8, 15e9))).toEqual([]);
  expect(await seen(run(1, 140e9))).toEqual([]);
});

test('step times that vary', async () => {
  const times = (spike: number) => [
    1,
    1,
    ...Array.from({ length: 12 }, (_, i) => (i % 4 === 0 ? spike : 0.001)),
  ];
  expect(await seen({ step: [busy(0, 1000)], stepTimesS: times(0.004) })).toEqual(['step-time-varies']);
  expect(await seen({ step: [busy(0, 1000)], stepTimesS: times(0.0011) })).toEqual([]);
});

test('low power', async () => {
  const power = (value: number) => ({
    powerRatio: { id: 'p', value, unit: 'ratio', source: 'measured' } as const,
  });
  expect(await seen({ step: [busy(0, 1000)] }, power(0.3))).toEqual(['low-power']);
  expect(await seen({ step: [busy(0, 1000)] }, power(0.9))).toEqual([]);
});

test('what cannot be known is neither seen nor unseen, and says what it needs', async () => {
  const symptoms = readSymptoms(await trainingRun({ step: [op('aten::mm', 0)] }));
  expect(symptoms.map((s) => s.symptom)).toEqual(SYMPTOM_IDS);
  for (const { seen: state, figure, pointsTo } of symptoms) {
    expect(state).toBeNull();
    expect(figure).toMatchObject({
      value: null,
      source: 'notMeasurable',
      reason: expect.stringMatching(/\w/) as string,
    });
    expect(pointsTo.length).toBeGreaterThan(0);
  }
});
