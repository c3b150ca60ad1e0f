import fc from 'fast-check';
import { estimate, estimateRequestSchema, type EstimateRequestInput } from './index';

const figure = (request: EstimateRequestInput, id: string) => {
  const found = estimate(estimateRequestSchema.parse(request)).figures.find((f) => f.id === id);
  if (!found) throw new Error(`no figure ${id}`);
  return found;
};
const value = (request: EstimateRequestInput, id: string) => figure(request, id).value;

describe('the gradients of a data-parallel step', () => {
  it('are 14 GB for 7 B parameters in fp16', () => {
    expect(value({ parameters: 7e9, dtype: 'fp16' }, 'gradient-size')).toBe(14e9);
  });

  it('are 20 GB for 10 B in two bytes, and take 1.6 s at 100 Gb/s when they cross the link once', () => {
    const request = { parameters: 10e9, dtype: 'bf16', link: 'eth-100', worldSize: 2 } as const;
    expect(value(request, 'gradient-size')).toBe(20e9);
    // Between two ranks a ring sends each gradient once; the rule of thumb leaves the ring's factor out.
    expect(value(request, 'communication-volume')).toBe(20e9);
    expect(value(request, 'communication-time')).toBe(1_600_000_000);
    expect(value({ ...request, worldSize: 8 }, 'communication-time')).toBe(2_800_000_000);
  });

  it('do not depend on the batch, and are exchanged once however often they are accumulated', () => {
    const request = { parameters: 1e9, dtype: 'bf16', worldSize: 8 } as const;
    const volume = value(request, 'communication-volume');
    expect(value({ ...request, microBatchSize: 64, sequenceLength: 4096 }, 'communication-volume')).toBe(
      volume,
    );
    expect(value({ ...request, gradientAccumulation: 16 }, 'communication-volume')).toBe(volume);
  });

  it('are those of the adapter only when the rest is frozen', () => {
    const request = { parameters: 7e9, trainableParameters: 7e6, dtype: 'bf16', worldSize: 8 } as const;
    expect(value(request, 'communication-volume')).toBe(2 * (7 / 8) * 14e6);
  });
});

describe('sharding', () => {
  const base = { parameters: 8e9, dtype: 'bf16', worldSize: 8 } as const;
  const volume = (request: Partial<EstimateRequestInput>) =>
    value({ ...base, ...request }, 'communication-volume');

  it('costs nothing more up to ZeRO-2, and half as much again with ZeRO-3', () => {
    const plain = volume({});
    expect(plain).toBe(28e9);
    expect(volume({ sharding: 'zero1' })).toBe(plain);
    expect(volume({ sharding: 'zero2' })).toBe(plain);
    expect(volume({ sharding: 'zero3' })).toBe(1.5 * (plain ?? 0));
  });

  it('gathers again in every micro-batch with ZeRO-3', () => {
    expect(volume({ sharding: 'zero3', gradientAccumulation: 4 })).toBe(4 * 42e9);
    expect(volume({ sharding: 'zero2', gradientAccumulation: 4 })).toBe((7 / 8) * (4 * 16e9 + 16e9));
  });

  it('stays inside the node in hybrid form, but for one shard of the gradients', () => {
    const hybrid = {
      sharding: 'hybrid',
      worldSize: 16,
      gpusPerNode: 8,
      gpu: 'NVIDIA H200',
      link: 'ib-ndr',
    } as const;
    expect(volume(hybrid)).toBe(42e9 + 2e9);
    expect(value({ ...base, ...hybrid }, 'communication-time')).toBe(Math.round(42e9 / 450 + 2e9 / 50));
    expect(volume({ ...hybrid, worldSize: 8 })).toBe(42e9);
  });
});

describe('the link', () => {
  const base = { parameters: 1e9, dtype: 'bf16', worldSize: 8 } as const;

  it('is the one of the GPU inside a node, and never guessed between nodes', () => {
    expect(value({ ...base, gpu: 'NVIDIA H200', gpusPerNode: 8 }, 'link-bandwidth')).toBe(450e9);
    expect(value({ ...base, gpu: 'NVIDIA H200', link: 'pcie' }, 'link-bandwidth')).toBe(64e9);
    const unknown = { ...base, worldSize: 16, gpu: 'NVIDIA H200', gpusPerNode: 8, stepTimeS: 1 } as const;
    for (const id of ['link-bandwidth', 'communication-time', 'communication-share']) {
      expect(figure(unknown, id)).toMatchObject({ value: null, source: 'notMeasurable' });
      expect(figure(unknown, id).reason).toContain('link');
    }
  });

  it('gives the share of a measured step that could be exposed', () => {
    const request = { ...base, worldSize: 2, linkBandwidthBytesPerSec: 1e9, stepTimeS: 8 };
    expect(value(request, 'communication-share')).toBe(0.25);
  });
});

test('one rank exchanges nothing', () => {
  const request = { parameters: 1e9, dtype: 'fp32', sharding: 'zero3' } as const;
  expect(value(request, 'communication-volume')).toBe(0);
  expect(value(request, 'communication-time')).toBe(0);
});

test('more ranks never send less each, and never twice the gradients', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 4096 }),
      fc.integer({ min: 1, max: 1e12 }),
      (worldSize, parameters) => {
        const of = (n: number) =>
          value({ parameters, dtype: 'bf16', worldSize: n }, 'communication-volume') ?? NaN;
        expect(of(worldSize + 1)).toBeGreaterThanOrEqual(of(worldSize));
        expect(of(worldSize)).toBeLessThan(2 * 2 * parameters);
      },
    ),
  );
});
