import { costOfCall, knownCost } from '../../../../test/builders/op-cost';

test('mm: 2·m·n·k flop, both operands and the product once', () => {
  const cost = knownCost('aten::mm', [
    [128, 256],
    [256, 512],
  ]);
  expect(cost).toMatchObject({
    flop: 33_554_432,
    repeatedFlop: 0,
    dtype: 'bf16',
    flopKind: 'matrix',
    notes: [],
  });
  expect(cost.leastBytes).toBe(2 * (32_768 + 131_072 + 65_536));
});

test('a given output is not read', () => {
  const shapes = [
    [128, 256],
    [256, 512],
  ];
  expect(knownCost('aten::mm', [...shapes, [128, 512]])).toEqual(knownCost('aten::mm', shapes));
});

test('addmm reads the summand at its own size', () => {
  const cost = knownCost('aten::addmm', [[512], [128, 256], [256, 512], null, null]);
  expect(cost.flop).toBe(33_554_432);
  expect(cost.leastBytes).toBe(2 * (32_768 + 131_072 + 65_536 + 512));
});

test('bmm and baddbmm count every pair', () => {
  const pair = [
    [8, 128, 64],
    [8, 64, 128],
  ];
  expect(knownCost('aten::bmm', pair).flop).toBe(8 * 2 * 128 * 128 * 64);
  expect(knownCost('aten::baddbmm', [[8, 128, 128], ...pair]).leastBytes).toBe(
    2 * 8 * (2 * 128 * 64 + 2 * 128 * 128),
  );
});

test('linear takes the weight as it is stored, and any leading dimensions', () => {
  const cost = knownCost('aten::linear', [[4, 32, 256], [512, 256], [512]]);
  expect(cost.flop).toBe(2 * 4 * 32 * 256 * 512);
  expect(cost.leastBytes).toBe(2 * (4 * 32 * 256 + 512 * 256 + 512 + 4 * 32 * 512));
});

test('matmul broadcasts leading dimensions and takes vectors', () => {
  expect(
    knownCost('aten::matmul', [
      [4, 1, 16, 32],
      [3, 32, 8],
    ]).flop,
  ).toBe(2 * 12 * 16 * 32 * 8);
  expect(knownCost('aten::matmul', [[32], [32, 8]]).flop).toBe(2 * 32 * 8);
  expect(
    costOfCall('aten::matmul', [
      [2, 16, 32],
      [3, 32, 8],
    ]),
  ).toBeNull();
});

test('fp8 products write what the call names, or at least one byte', () => {
  const shapes = [[64, 128], [128, 64], [1], [1], null, null, null];
  const types = ['c10::Float8_e4m3fn', 'c10::Float8_e4m3fn', 'float', 'float', '', '', ''];
  const named = knownCost('aten::_scaled_mm', shapes, { types, values: { 6: '15' } });
  expect(named).toMatchObject({ dtype: 'fp8', leastBytes: 2 * 64 * 128 + 2 * 64 * 64, notes: [] });
  const open = knownCost('aten::_scaled_mm', shapes, { types });
  expect(open).toMatchObject({ leastBytes: 2 * 64 * 128 + 64 * 64, notes: ['bytes-lower-bound'] });
});

test('grouped products: the rows of all groups together, or one product per group', () => {
  const types = ['c10::BFloat16', 'c10::BFloat16', 'int', '', ''];
  const forward = knownCost('aten::_grouped_mm', [[96, 32], [4, 32, 16], [4], null, null], { types });
  expect(forward.flop).toBe(2 * 96 * 32 * 16);
  const weights = knownCost('aten::_grouped_mm', [[32, 96], [96, 16], [4], null, null], { types });
  expect(weights.flop).toBe(2 * 32 * 96 * 16);
  expect(weights.leastBytes).toBe(2 * (32 * 96 + 96 * 16 + 4 * 32 * 16));
});

test('dimensions that matrix units pad are noted', () => {
  expect(
    knownCost('aten::mm', [
      [128, 641],
      [641, 512],
    ]).notes,
  ).toEqual(['unaligned-dims']);
  expect(
    knownCost('aten::mm', [
      [1, 640],
      [640, 512],
    ]).notes,
  ).toEqual([]);
});

test.each<[string, string, number[][]]>([
  [
    'operands that do not fit',
    'aten::mm',
    [
      [128, 256],
      [255, 512],
    ],
  ],
  ['a missing operand', 'aten::mm', [[128, 256]]],
  ['too few dimensions', 'aten::mm', [[128], [128, 4]]],
  [
    'a weight of another width',
    'aten::linear',
    [
      [4, 256],
      [512, 255],
    ],
  ],
])('%s have no cost', (_, name, shapes) => {
  expect(costOfCall(name, shapes)).toBeNull();
});
