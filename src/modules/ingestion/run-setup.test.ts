import { newRunSchema } from './run-metadata';
import { runSetupSchema, setupOf } from './run-setup';

const whole = {
  hardware: { gpu: 'NVIDIA H200', gpusPerNode: 8, nodes: 4, interconnect: 'InfiniBand' },
  framework: { name: 'pytorch', version: '2.9.0', cuda: '13.0', driver: '580.65.06' },
  parallelism: { data: 16, tensor: 2, pipeline: 1, expert: 1, context: 1, strategy: 'fsdp' },
  dtype: 'bf16',
  parameters: 7e9,
  batch: { micro: 4, global: 256, gradientAccumulation: 4 },
  sequenceLength: 4096,
  tokensPerStep: 65_536,
  samplesPerStep: 16,
  loader: { numWorkers: 0, pinMemory: true, prefetchFactor: 2, persistentWorkers: false },
  environment: { OMP_NUM_THREADS: '8', TOKENIZERS_PARALLELISM: 'false', EMPTY: '' },
};
const run = { model: 'm', cluster: 'c' };

describe('the setup of a run', () => {
  it('is taken out of what a client said, and what was left out stays absent', () => {
    const given = newRunSchema.parse({ ...run, ...whole, worldSize: 32, metadata: { note: 'x' } });
    expect(setupOf(given)).toEqual(whole);
    expect(runSetupSchema.parse(whole)).toEqual(whole);
    expect(setupOf(newRunSchema.parse({ ...run, dtype: 'fp8' }))).toEqual({ dtype: 'fp8' });
  });

  it.each<[string, object, string]>([
    ['no GPU', { hardware: { nodes: 0 } }, 'hardware.nodes'],
    ['an unknown field', { hardware: { cores: 1 } }, 'hardware'],
    ['a framework without a version', { framework: { name: 'jax' } }, 'framework.version'],
    ['half a rank', { parallelism: { data: 1.5 } }, 'parallelism.data'],
    ['a batch of nothing', { batch: { micro: 0 } }, 'batch.micro'],
    ['a step of no end', { tokensPerStep: 1e15 }, 'tokensPerStep'],
    ['control characters', { dtype: 'bf\u000016' }, 'dtype'],
    ['a loader of fewer than no workers', { loader: { numWorkers: -1 } }, 'loader.numWorkers'],
    ['a variable that is no text', { environment: { A: 1 } }, 'environment.A'],
    ['a name that is none', { environment: { 'A B': '1' } }, 'environment'],
    ['a value of two lines', { environment: { A: '1\n2' } }, 'environment.A'],
    ['a secret', { environment: { HF_TOKEN: 'hf_x' } }, 'environment.HF_TOKEN'],
    ['a key', { environment: { AWS_SECRET_ACCESS_KEY: 'x' } }, 'environment.AWS_SECRET_ACCESS_KEY'],
    [
      'more variables than fit',
      { environment: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`V${i}`, ''])) },
      'environment',
    ],
  ])('is refused with %s, which the message names', (_what, wrong, field) => {
    const result = newRunSchema.safeParse({ ...run, ...wrong });
    expect(result.error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });
});
