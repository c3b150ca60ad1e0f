import { estimateRequestSchema } from './index';

const messages = (request: Record<string, unknown>): string[] => {
  const result = estimateRequestSchema.safeParse({ parameters: 1e9, dtype: 'bf16', ...request });
  return result.success ? [] : result.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`);
};

test('a request is completed by its defaults', () => {
  expect(estimateRequestSchema.parse({ parameters: 7e9, dtype: 'bf16' })).toEqual({
    ...{ parameters: 7e9, dtype: 'bf16', optimizer: 'adamw', stateDtype: 'fp32', masterWeights: false },
    ...{
      worldSize: 1,
      sharding: 'none',
      gradientAccumulation: 1,
      checkpointing: 'none',
      flashAttention: true,
    },
  });
});

test('a GPU that is not certain or not known is refused with what to write', () => {
  expect(messages({ gpu: 'A100' })).toEqual([expect.stringContaining('a100-sxm4-80gb')]);
  expect(messages({ gpu: 'Foo 9000' })).toEqual([expect.stringContaining('not in the GPU catalogue')]);
  expect(messages({ gpu: 'NVIDIA H200' })).toEqual([]);
  expect(messages({ gpu: 'H200-SXM5-141GB' })).toEqual([]);
});

test('what contradicts itself is refused at its field', () => {
  expect(messages({ trainableParameters: 2e9 })).toEqual([expect.stringMatching(/^trainableParameters: /)]);
  expect(messages({ link: 'ib-ndr', linkBandwidthBytesPerSec: 1 })).toEqual([
    expect.stringMatching(/not both/),
  ]);
  expect(messages({ link: 'nvlink' })).toEqual([expect.stringMatching(/^gpu: .*depends on the GPU/)]);
  expect(messages({ sharding: 'hybrid', worldSize: 16 })).toEqual([expect.stringMatching(/^gpusPerNode: /)]);
  expect(messages({ sharding: 'hybrid', worldSize: 12, gpusPerNode: 8 })).toEqual([
    expect.stringMatching(/^worldSize: .*multiple/),
  ]);
});

test.each([
  { parameters: 0 },
  { parameters: 1.5 },
  { parameters: Infinity },
  { dtype: 'bf17' },
  { worldSize: -1 },
  { stepTimeS: 0 },
  { unknown: 1 },
  { gpu: 'x'.repeat(200) },
])('%j is refused', (request) => {
  expect(messages(request).length).toBeGreaterThan(0);
});
