import fc from 'fast-check';
import { CHECKPOINTINGS, estimate, estimateRequestSchema, type EstimateRequestInput } from './index';

const run = (request: EstimateRequestInput) => estimate(estimateRequestSchema.parse(request));
const value = (request: EstimateRequestInput, id: string) => {
  const found = run(request).figures.find((f) => f.id === id);
  if (!found) throw new Error(`no figure ${id}`);
  return found.value;
};

describe('states', () => {
  it('of Adam in fp32 are 8 bytes per parameter: 56 GB for 7 B', () => {
    expect(value({ parameters: 7e9, dtype: 'bf16' }, 'memory-optimizer')).toBe(56e9);
  });

  it('are 16 bytes per parameter with mixed precision, however the 32-bit weights are kept', () => {
    const autocast = { parameters: 1e9, dtype: 'bf16', parameterDtype: 'fp32' } as const;
    const master = { parameters: 1e9, dtype: 'bf16', masterWeights: true } as const;
    expect(value(autocast, 'memory-model-states')).toBe(16e9);
    expect(value(master, 'memory-model-states')).toBe(16e9);
  });

  it('shrink with 8-bit states, momentum only, or none', () => {
    const of = (optimizer: EstimateRequestInput['optimizer']) =>
      value({ parameters: 2048e6, dtype: 'fp32', optimizer }, 'memory-optimizer');
    expect(of('adamw-8bit')).toBe(2 * (2048e6 + 4e6));
    expect(of('sgd-momentum')).toBe(4 * 2048e6);
    expect(of('sgd')).toBe(0);
    expect(of('adafactor')).toBeNull();
    expect(value({ parameters: 1e9, dtype: 'bf16', optimizer: 'none' }, 'memory-gradients')).toBe(0);
  });

  it('of an adapter are those of its own parameters', () => {
    const lora = { parameters: 7e9, trainableParameters: 10e6, dtype: 'bf16' } as const;
    expect(value(lora, 'memory-model-states')).toBe(14e9 + 20e6 + 80e6);
  });

  it('are shared out as the paper says: 120, 31.4, 16.6 and 1.9 GB for 7.5 B parameters on 64 GPUs', () => {
    const of = (sharding: EstimateRequestInput['sharding']) =>
      value(
        { parameters: 7.5e9, dtype: 'fp16', masterWeights: true, worldSize: 64, sharding },
        'memory-model-states',
      );
    expect(of('none')).toBe(120e9);
    expect(of('zero1')).toBeCloseTo(31.40625e9, -3);
    expect(of('zero2')).toBeCloseTo(16.640625e9, -3);
    expect(of('zero3')).toBe(1.875e9);
    const hybrid = {
      parameters: 7.5e9,
      dtype: 'fp16',
      worldSize: 64,
      gpusPerNode: 8,
      sharding: 'hybrid',
    } as const;
    expect(value(hybrid, 'memory-model-states')).toBe((12 / 8) * 7.5e9);
  });
});

describe('activations', () => {
  /** GPT-3 175 B of the paper: a = 96, s = 2048, h = 12288, so that 5as/h = 80. */
  const gpt3 = {
    parameters: 175e9,
    dtype: 'fp16',
    layers: 96,
    hiddenSize: 12288,
    heads: 96,
    sequenceLength: 2048,
    microBatchSize: 1,
  } as const;
  const layerUnit = 96 * 2048 * 12288;

  it('are s·b·h·(34 + 5as/h) per layer in 16 bits', () => {
    expect(value({ ...gpt3, flashAttention: false }, 'memory-activations')).toBe(layerUnit * (34 + 80));
  });

  it('lose the score term with selective recomputation and with flash attention', () => {
    expect(value({ ...gpt3, flashAttention: false, checkpointing: 'selective' }, 'memory-activations')).toBe(
      layerUnit * 34,
    );
    expect(value(gpt3, 'memory-activations')).toBe(layerUnit * 34);
  });

  it('are the inputs of the layers, and one layer, with full recomputation', () => {
    expect(value({ ...gpt3, checkpointing: 'full' }, 'memory-activations')).toBe(
      layerUnit * 2 + (layerUnit / 96) * 34,
    );
  });

  it('count twice the bytes in fp32, but for the masks', () => {
    expect(value({ ...gpt3, dtype: 'fp32', flashAttention: false }, 'memory-activations')).toBe(
      layerUnit * (66 + 9 * 16),
    );
  });

  it('of the output layer are 4sbh(1 + v/h)', () => {
    expect(value({ ...gpt3, vocabulary: 51200 }, 'memory-output-layer')).toBe(4 * 2048 * (12288 + 51200));
  });

  it('are not known without the shape of the model, and neither is the total', () => {
    const figures = run({ parameters: 7e9, dtype: 'bf16', gpu: 'NVIDIA H200' }).figures;
    for (const id of ['memory-activations', 'memory-total', 'memory-share', 'largest-micro-batch']) {
      expect(figures.find((f) => f.id === id)).toMatchObject({ value: null, source: 'notMeasurable' });
    }
    expect(figures.find((f) => f.id === 'memory-activations')?.reason).toContain('number of layers');
  });
});

describe('what fits', () => {
  const base: EstimateRequestInput = {
    ...{ parameters: 7e9, dtype: 'bf16', parameterDtype: 'fp32', worldSize: 8, gpu: 'NVIDIA H200' },
    ...{ layers: 32, hiddenSize: 4096, heads: 32, sequenceLength: 4096, microBatchSize: 1 },
  };

  it('says which layouts hold the run, and how large the micro-batch may be', () => {
    const { layouts, figures } = run(base);
    const fits = (sharding: string, checkpointing: string) =>
      layouts.find((l) => l.sharding === sharding && l.checkpointing === checkpointing)?.fits;
    expect(fits('none', 'none')).toBe(true);
    expect(figures.find((f) => f.id === 'largest-micro-batch')?.value).toBe(
      Math.floor((0.95 * 141 * 2 ** 30 - 16 * 7e9) / (32 * 34 * 4096 * 4096)),
    );
    const large = run({ ...base, parameters: 30e9 }).layouts;
    expect(large.find((l) => l.sharding === 'none')?.fits).toBe(false);
    expect(large.find((l) => l.sharding === 'zero3' && l.checkpointing === 'full')?.fits).toBe(true);
  });

  it('knows what does not fit even without the shape of the model, and no more', () => {
    const { layouts } = run({ parameters: 30e9, dtype: 'fp32', worldSize: 8, gpuMemoryBytes: 80e9 });
    expect(layouts.find((l) => l.sharding === 'none')?.fits).toBe(false);
    expect(layouts.find((l) => l.sharding === 'zero3')?.fits).toBeNull();
  });

  it('is empty when the memory is not known, and lists hybrid only between whole nodes', () => {
    expect(run({ parameters: 1e9, dtype: 'bf16' }).layouts).toEqual([]);
    const listed = (request: Partial<EstimateRequestInput>) =>
      new Set(run({ ...base, ...request }).layouts.map((l) => l.sharding));
    expect(listed({ worldSize: 1 })).toEqual(new Set(['none']));
    expect(listed({})).not.toContain('hybrid');
    expect(listed({ worldSize: 16, gpusPerNode: 8 })).toContain('hybrid');
  });
});

test('sharding more never takes more memory, and neither does recomputing more', () => {
  const request = fc.record({
    parameters: fc.integer({ min: 1, max: 1e12 }),
    worldSize: fc.integer({ min: 1, max: 1024 }),
    layers: fc.integer({ min: 2, max: 200 }),
    hiddenSize: fc.integer({ min: 64, max: 20000 }),
    heads: fc.integer({ min: 1, max: 128 }),
    sequenceLength: fc.integer({ min: 1, max: 100000 }),
    microBatchSize: fc.integer({ min: 1, max: 64 }),
    flashAttention: fc.boolean(),
  });
  fc.assert(
    fc.property(request, (r) => {
      const total = (
        sharding: NonNullable<EstimateRequestInput['sharding']>,
        checkpointing: (typeof CHECKPOINTINGS)[number],
      ) => value({ ...r, dtype: 'bf16', sharding, checkpointing }, 'memory-total') ?? NaN;
      const shardings = ['none', 'zero1', 'zero2', 'zero3'] as const;
      for (const checkpointing of CHECKPOINTINGS)
        for (let i = 1; i < shardings.length; i++)
          expect(total(shardings[i], checkpointing)).toBeLessThanOrEqual(
            total(shardings[i - 1], checkpointing),
          );
      for (let i = 1; i < CHECKPOINTINGS.length; i++)
        expect(total('none', CHECKPOINTINGS[i])).toBeLessThanOrEqual(total('none', CHECKPOINTINGS[i - 1]));
    }),
  );
});
