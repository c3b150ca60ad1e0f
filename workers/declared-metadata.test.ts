import { declaredMetadata } from './declared-metadata';

describe('declared metadata', () => {
  it('has the keys of a metadata file', () => {
    const declared = declaredMetadata({
      commit: '0123abc',
      worldSize: 32,
      setup: {
        hardware: { gpu: 'NVIDIA H200' },
        framework: { name: 'pytorch', version: '2.9.0', cuda: '13.0' },
        parallelism: { strategy: 'fsdp', tensor: 2 },
        dtype: 'bf16',
        parameters: 7e9,
        batch: { micro: 4, gradientAccumulation: 1 },
        sequenceLength: 1_024,
        tokensPerStep: 4_096,
        loader: { numWorkers: 0, pinMemory: false },
        environment: { OMP_NUM_THREADS: '1' },
      },
    });
    expect(declared).toEqual({
      commit: '0123abc',
      world_size: 32,
      gpu: 'NVIDIA H200',
      framework: 'pytorch 2.9.0',
      cuda: '13.0',
      strategy: 'fsdp',
      tensor_parallel: 2,
      dtype: 'bf16',
      params: 7e9,
      batch_size: 4,
      grad_accum: 1,
      seq_len: 1_024,
      tokens_per_step: 4_096,
      loader: { num_workers: 0, pin_memory: false },
      env: { OMP_NUM_THREADS: '1' },
    });
  });

  it('is not there when nothing was declared', () => {
    expect(declaredMetadata({ commit: null, worldSize: null, setup: {} })).toBeUndefined();
  });
});
