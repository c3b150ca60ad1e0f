import { comparabilityKey, conditionsOfKey } from './comparability';
import { diffConfiguration, flattenFacts, kindOfConfiguration } from './configuration-change';

describe('comparabilityKey', () => {
  it('is the same for other spellings and orders of the same conditions', () => {
    const a = {
      gpu: 'NVIDIA H200',
      dtype: 'torch.bfloat16',
      parallelism: { tensor: 2, data: 4 },
      worldSize: 8,
    };
    const b = { worldSize: 8, parallelism: { data: 4, tensor: 2 }, dtype: 'bf16', gpu: 'h200' };
    expect(comparabilityKey(a)).toBe(comparabilityKey(b));
    expect(comparabilityKey(a)).toBe('gpu=h200;worldSize=8;data=4;tensor=2;dtype=bf16');
  });

  it('differs with anything that makes steps incomparable', () => {
    const base = { gpu: 'H200', worldSize: 8, dtype: 'bf16', microBatch: 4, sequenceLength: 2048 };
    const others = [
      { ...base, gpu: 'H100' },
      { ...base, worldSize: 16 },
      { ...base, dtype: 'fp32' },
      { ...base, microBatch: 8 },
      { ...base, sequenceLength: 4096 },
      { ...base, parallelism: { strategy: 'fsdp' } },
    ];
    expect(new Set([base, ...others].map((one) => comparabilityKey(one))).size).toBe(7);
  });

  it('is what the client says when it says something', () => {
    expect(comparabilityKey({ gpu: 'H200' }, 'nightly')).toBe('custom:nightly');
    expect(comparabilityKey({})).toBe('');
  });
});

describe('configuration', () => {
  it('is flattened and compared by name', () => {
    const before = flattenFacts({
      loader: { workers: 4, pin: true },
      framework: { version: '2.9' },
      none: null,
    });
    const after = flattenFacts({ loader: { workers: 8, pin: true }, environment: { NCCL_P2P_DISABLE: '1' } });
    expect(diffConfiguration(before, after)).toEqual([
      { name: 'environment.NCCL_P2P_DISABLE', kind: 'environment', before: null, after: '1' },
      { name: 'framework.version', kind: 'software', before: '2.9', after: null },
      { name: 'loader.workers', kind: 'loader', before: '4', after: '8' },
    ]);
  });

  it.each([
    ['hardware.gpu', 'hardware'],
    ['parallelism.tensor', 'workload'],
    ['dtype', 'workload'],
    ['environment.CUDA_VISIBLE_DEVICES', 'environment'],
    ['notes', 'other'],
  ])('knows %s as %s', (name, kind) => expect(kindOfConfiguration(name)).toBe(kind));

  it('is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 'x'.repeat(10_000)]));
    const flat = flattenFacts(many);
    expect(Object.keys(flat)).toHaveLength(500);
    expect(Object.values(flat)[0]).toHaveLength(500);
  });
});

describe('conditionsOfKey', () => {
  it('gives what the key was made of, and no condition that a value only looks like', () => {
    const key = comparabilityKey({ gpu: 'H200;worldSize=8', dtype: 'bf16=x' });
    expect(conditionsOfKey(key)).toEqual([
      { name: 'gpu', value: 'h200 worldsize 8' },
      { name: 'dtype', value: 'bf16 x' },
    ]);
    expect(conditionsOfKey(comparabilityKey({}, 'a;b=c'))).toEqual([
      { name: 'comparability', value: 'a;b=c' },
    ]);
    expect(conditionsOfKey(comparabilityKey({}))).toEqual([]);
  });
});
