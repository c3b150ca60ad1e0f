import { estimate, estimateRequestSchema, type EstimateRequestInput } from '../analysis';
import { renderEstimate } from './index';
import { ESTIMATE_FIGURE_LABELS } from './wording/estimates';

const render = (request: EstimateRequestInput): string =>
  renderEstimate(estimate(estimateRequestSchema.parse(request)), { color: false });

const whole: EstimateRequestInput = {
  ...{
    parameters: 7e9,
    dtype: 'bf16',
    masterWeights: true,
    gpu: 'NVIDIA H200',
    stepTimeS: 2,
    link: 'ib-ndr',
  },
  ...{ worldSize: 16, gpusPerNode: 8, sharding: 'hybrid', layers: 32, hiddenSize: 4096, heads: 32 },
  ...{ vocabulary: 32000, sequenceLength: 4096, microBatchSize: 1 },
};

test('every figure has its words, and no words are left of a figure that is gone', () => {
  const requests: EstimateRequestInput[] = [whole, { parameters: 1e9, dtype: 'bf16', worldSize: 2 }];
  const ids = requests.flatMap((r) => estimate(estimateRequestSchema.parse(r)).figures.map(({ id }) => id));
  expect([...new Set(ids)].sort()).toEqual(Object.keys(ESTIMATE_FIGURE_LABELS).sort());
});

test('values stand with their formulas, and what is not known with what it needs', () => {
  const text = render({ parameters: 10e9, dtype: 'bf16', worldSize: 2, link: 'eth-100' });
  expect(text).toMatch(/gradients +20\.0 GB {2}10000000000 trained parameters · 2 bytes/);
  expect(text).toMatch(/least communication time +1\.60 s/);
  expect(text).toMatch(/MFU +not known {2}needs the tokens per step/);
  expect(text).not.toContain('What would fit');
});

test('layouts are listed with what they take and whether they fit', () => {
  expect(render(whole)).toMatch(/no sharding, full checkpointing +\d+ GB {2}fits/);
  expect(render({ ...whole, parameters: 70e9 })).toMatch(
    /no sharding, full checkpointing +[\d.]+ TB {2}does not fit/,
  );
});

test('a utilisation above the peak is reported', () => {
  const text = render({
    parameters: 7e9,
    dtype: 'bf16',
    gpu: 'NVIDIA H200',
    stepTimeS: 0.1,
    tokensPerStep: 1e6,
  });
  expect(text).toContain('MFU is above 1');
});
