import { analyzeTexts } from '../../test/builders/analyze-texts';
import { hostEvent, kernelEvent, runtimeEvent, traceOf } from '../../test/builders/kineto-trace';

const STEP_US = 1_000;
const steps = [1, 2, 3, 4].flatMap((n) => [
  hostEvent(`ProfilerStep#${n}`, n * STEP_US, STEP_US, { cat: 'user_annotation' }),
  runtimeEvent('cudaLaunchKernel', n * STEP_US + 10, 5, n),
  kernelEvent('gemm', n * STEP_US + 20, 800, n),
]);
const trace = { path: 'rank0.json', text: traceOf(steps) };
const metadata = (fields: object) => ({
  path: 'meta.rank0.json',
  text: JSON.stringify({ optimizer: 'AdamW', batch_size: 1, ...fields }),
});
const analyze = async (declared: Record<string, unknown> | undefined, uploaded?: object) => {
  const files = uploaded ? [trace, metadata(uploaded)] : [trace];
  const { advice, roofline } = await analyzeTexts(files, undefined, declared);
  return {
    tokens: roofline?.utilization.tokensPerStep,
    option: (id: string) => advice?.options.find(({ option }) => option === id),
  };
};

describe('what was declared with a run', () => {
  it('is read as metadata, and named as what it is', async () => {
    const { tokens, option } = await analyze({
      dtype: 'bf16',
      grad_accum: 4,
      tokens_per_step: 4_096,
      env: { CUDA_DEVICE_MAX_CONNECTIONS: '1' },
    });
    expect(tokens).toBe(4_096);
    expect(option('gradient-accumulation')).toMatchObject({
      form: '4',
      evidence: [{ source: 'declared', what: 'grad_accum=4' }],
    });
    expect(option('mixed-precision')?.evidence).toContainEqual({
      source: 'declared',
      what: 'dtype="bf16"',
      count: null,
    });
    expect(option('device-max-connections')?.evidence).toEqual([
      { source: 'declared', what: 'CUDA_DEVICE_MAX_CONNECTIONS=1', count: null },
    ]);
  });

  it('gives way to what was uploaded, field by field and under any name of the field', async () => {
    const { tokens, option } = await analyze(
      { dtype: 'fp16', grad_accum: 4, tokens_per_step: 4_096 },
      { precision: 'bf16', accumulate_grad_batches: 2 },
    );
    // Nothing else says how many tokens.
    expect(tokens).toBe(4_096);
    expect(option('gradient-accumulation')).toMatchObject({
      form: '2',
      evidence: [{ source: 'metadata', what: 'accumulate_grad_batches=2' }],
    });
    expect(option('mixed-precision')?.evidence[0]).toMatchObject({
      source: 'metadata',
      what: 'precision="bf16"',
    });
    expect((await analyze({ tokens_per_step: 4_096 }, { tokens_per_step: 512 })).tokens).toBe(512);
  });

  it('says nothing when there is none of it, or when it is of another type', async () => {
    for (const declared of [undefined, {}, { tokens_per_step: '4096', env: 'x', grad_accum: 'many' }]) {
      const { tokens, option } = await analyze(declared);
      expect(tokens).toBeNull();
      expect(option('gradient-accumulation')).toMatchObject({ state: 'not-visible', evidence: [] });
    }
  });
});
