import { costOfCall, knownCost } from '../../../../test/builders/op-cost';

const input = [128, 3, 512, 512];
const weight = [16, 3, 7, 7];
const values = { 3: '[4, 4]', 4: '[0, 0]', 5: '[1, 1]', 6: 'False' };
const outElements = 128 * 16 * 127 * 127;
const flop = 2 * outElements * 3 * 7 * 7;

test('forward: each output meets the weights of its channel', () => {
  const cost = knownCost('aten::convolution', [input, weight, [16], null, null, null, null, null, null], {
    values,
  });
  expect(cost).toMatchObject({ flop, flopKind: 'matrix', notes: [] });
  expect(cost.leastBytes).toBe(2 * (128 * 3 * 512 * 512 + 16 * 3 * 49 + 16 + outElements));
});

test('one value stands for all dimensions; padding and dilation count', () => {
  const cost = knownCost('aten::conv2d', [[1, 8, 32, 32], [8, 8, 3, 3], null, null, null, null, null], {
    values: { 3: '[2]', 4: '[2]', 5: '[2]' },
  });
  // (32 + 2·2 − 2·(3 − 1) − 1) / 2 + 1 = 16
  expect(cost.flop).toBe(2 * 8 * 16 * 16 * 8 * 9);
});

test('groups have weights for their own channels only', () => {
  const cost = knownCost('aten::conv1d', [[1, 32, 100], [32, 1, 5], null, null, null, null, null], {
    values: { 3: '[1]', 4: '[2]', 5: '[1]' },
  });
  expect(cost.flop).toBe(2 * 32 * 100 * 5);
});

test('backward: as much for each gradient that is wanted', () => {
  const shapes = [[128, 16, 127, 127], input, weight, ...new Array<null>(8).fill(null)];
  const name = 'aten::convolution_backward';
  const both = knownCost(name, shapes, { values: { 7: 'False', 10: '[True, True, False]' } });
  expect(both).toMatchObject({ flop: 2 * flop, notes: [] });
  const first = knownCost(name, shapes, { values: { 7: 'False', 10: '[False, True, True]' } });
  expect(first.flop).toBe(flop);
  expect(first.leastBytes).toBe(2 * (outElements + 128 * 3 * 512 * 512 + 16 * 3 * 49));
  expect(knownCost(name, shapes)).toMatchObject({ flop: 2 * flop, notes: ['flop-upper-bound'] });
});

test('a transposed convolution costs what the ordinary one does whose gradient it is', () => {
  // Weight [Cin 16, Cout 8, 4, 4], stride 2: 16 × 16 becomes 32 × 32; each input meets 8·4·4 weights.
  const shapes = [[2, 8, 32, 32], [2, 16, 16, 16], [16, 8, 4, 4], ...new Array<null>(8).fill(null)];
  const values = { 7: 'True', 10: '[True, False, False]' };
  expect(knownCost('aten::convolution_backward', shapes, { values }).flop).toBe(
    2 * (2 * 16 * 16 * 16) * 8 * 16,
  );
});

test.each([
  ['without stride and padding', {}],
  ['with a stride of 0', { ...values, 3: '[0, 0]' }],
  ['with a padding in words', { ...values, 4: 'same' }],
  ['with a window larger than the input', { ...values, 5: '[999, 999]' }],
])('forward %s has no cost', (_, given) => {
  const shapes = [input, weight, null, null, null, null, null, null, null];
  expect(costOfCall('aten::convolution', shapes, { values: given })).toBeNull();
});
