import { annotation, collectives, GEMM, op } from '../../../test/builders/option-cases';
import { type TrainingRun, trainingRun } from '../../../test/builders/training-run';
import { readConfiguration } from './configuration';
import { estimateRun } from './run-estimate';
import { gatherEvidence } from './trace-evidence';

async function estimateOf(run: TrainingRun) {
  const facts = await trainingRun(run);
  return estimateRun(facts, readConfiguration(gatherEvidence(facts)));
}
const metadata = {
  params: 1e9,
  world_size: 1,
  batch_size: 4,
  seq_len: 1024,
  tokens_per_step: 4096,
  optimizer: 'AdamW(fused)',
};

test('without a parameter count there are no floors, and the reason says so', async () => {
  expect(await estimateOf({ step: [GEMM] })).toEqual({
    estimate: null,
    reason: expect.stringContaining('params') as string,
  });
});

test('autocast keeps parameters in fp32: 16 bytes per parameter', async () => {
  const { estimate } = await estimateOf({ step: [GEMM, op('ToCopyBackward0', 50)], metadata });
  expect(estimate?.request).toMatchObject({
    dtype: 'bf16',
    parameterDtype: 'fp32',
    worldSize: 1,
    gpu: 'h200-sxm5-141gb',
  });
  expect(estimate?.figures.find((f) => f.id === 'memory-model-states')?.value).toBe(16e9);
  expect(estimate?.figures.find((f) => f.id === 'mfu')?.value).toBeCloseTo(
    (6 * 1e9 * 4096) / 1e-3 / 989.4e12,
    6,
  );
});

test('the layout of a sharded run is its own', async () => {
  const run = {
    step: [
      annotation('FullyShardedDataParallel.forward', 0, 5),
      ...collectives('_allgather_base', '_allgather_base', '_reduce_scatter_base'),
    ],
    metadata: { ...metadata, world_size: 2, activation_checkpointing: 'selective' },
    worldSize: 2,
  };
  const { estimate } = await estimateOf(run);
  expect(estimate?.request).toMatchObject({
    worldSize: 2,
    sharding: 'zero3',
    gradientDtype: 'fp32',
    checkpointing: 'selective',
  });
  expect(estimate?.figures.find((f) => f.id === 'communication-time')?.reason).toContain('link');
});

test('processes that never communicate are models of their own', async () => {
  const { estimate } = await estimateOf({ step: [GEMM], metadata: { ...metadata, world_size: 8 } });
  expect(estimate?.request.worldSize).toBe(1);
});

test('metadata that cannot be is a reason, not an error', async () => {
  const { estimate, reason } = await estimateOf({
    step: [GEMM],
    metadata: { ...metadata, trainable_params: 2e9 },
  });
  expect(estimate).toBeNull();
  expect(reason).toContain('trainableParameters');
});
