import { estimate, estimateRequestSchema, type EstimateRequestInput } from './index';

const figure = (request: EstimateRequestInput, id: string) => {
  const found = estimate(estimateRequestSchema.parse(request)).figures.find((f) => f.id === id);
  if (!found) throw new Error(`no figure ${id}`);
  return found;
};
const value = (request: EstimateRequestInput, id: string) => figure(request, id).value;

/** A recorded run: 941 M parameters, 16 sequences of 2048 tokens, 392.64 ms a step. */
const recorded: EstimateRequestInput = {
  ...{ parameters: 941_002_752, dtype: 'bf16', gpu: 'NVIDIA H200' },
  ...{ microBatchSize: 16, sequenceLength: 2048, stepTimeS: 0.39264 },
};

test('a step needs six flop per parameter and token, and runs at the dense peak at best', () => {
  expect(value(recorded, 'tokens-per-step')).toBe(32768);
  expect(value(recorded, 'model-flop')).toBe(185_008_669_065_216);
  expect(value(recorded, 'peak')).toBe(989.4e12);
  expect(value(recorded, 'least-step-time')).toBe(Math.round((185_008_669_065_216 / 989.4e12) * 1e9));
  expect(value(recorded, 'mfu')).toBeCloseTo(185_008_669_065_216 / 0.39264 / 989.4e12, 12);
});

test('the attention term is added where the shape is known: 12·L·h·s per token', () => {
  const shape = { layers: 16, hiddenSize: 2048 };
  const attention = 12 * 16 * 2048 * 2048 * 32768;
  expect(value({ ...recorded, ...shape }, 'model-flop')).toBe(185_008_669_065_216 + attention);
  expect(figure(recorded, 'model-flop').formula).toContain('without the attention term');
});

test('what is computed again counts for HFU and not for MFU', () => {
  const full = { ...recorded, checkpointing: 'full' } as const;
  expect(value(full, 'mfu')).toBe(value(recorded, 'mfu'));
  expect(value(full, 'hardware-flop')).toBe((8 / 6) * 185_008_669_065_216);
  expect(value(recorded, 'hfu')).toBe(value(recorded, 'mfu'));
  const selective = { ...recorded, layers: 16, hiddenSize: 2048, checkpointing: 'selective' } as const;
  const forward = 4 * 16 * 2048 * 2048 * 32768;
  expect((value(selective, 'hardware-flop') ?? 0) - (value(selective, 'model-flop') ?? 0)).toBe(forward);
});

test('frozen parameters get no gradient of their own, and inference only the forward pass', () => {
  const tokens = { dtype: 'bf16', tokensPerStep: 1000 } as const;
  expect(value({ ...tokens, parameters: 1e9, trainableParameters: 1e6 }, 'model-flop')).toBe(
    (4e9 + 2e6) * 1000,
  );
  expect(value({ ...tokens, parameters: 1e9, optimizer: 'none' }, 'model-flop')).toBe(2e12);
});

test('tokens as given win over the batch', () => {
  expect(value({ ...recorded, tokensPerStep: 30_000 }, 'tokens-per-step')).toBe(30_000);
  expect(value({ ...recorded, gradientAccumulation: 4 }, 'tokens-per-step')).toBe(4 * 32768);
});

test('what is missing is named', () => {
  expect(figure({ parameters: 1e9, dtype: 'bf16' }, 'mfu').reason).toContain('tokens per step');
  expect(figure({ ...recorded, stepTimeS: undefined }, 'mfu').reason).toContain('step time');
  expect(figure({ ...recorded, gpu: undefined }, 'mfu').reason).toContain('GPU');
  expect(figure({ ...recorded, gpu: 'v100-sxm2-32gb' }, 'least-step-time').reason).toContain(
    'no published peak for bf16',
  );
});

test('a peak of one’s own wins over the catalogue', () => {
  expect(value({ ...recorded, peakFlopPerSec: 500e12 }, 'peak')).toBe(500e12);
});
