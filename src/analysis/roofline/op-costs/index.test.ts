import fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { type ArgumentShape, type CallParts, costOfCall, knownCost } from '../../../../test/builders/op-cost';
import { OP_COST_FAMILIES } from './index';
import { type OpCost } from './op-cost';

const NAMES = OP_COST_FAMILIES.flatMap((family) => family.names);

test('every family is registered once, with a file of its name, and no op belongs to two', () => {
  const files = readdirSync(__dirname)
    .filter((file) => !file.endsWith('.test.ts') && !['index.ts', 'op-cost.ts'].includes(file))
    .map((file) => file.replace(/\.ts$/, ''));
  expect(OP_COST_FAMILIES.map((family) => family.id).sort()).toEqual(files.sort());
  expect(new Set(NAMES).size).toBe(NAMES.length);
});

const dim = fc.oneof(fc.nat(9), fc.integer({ min: 0, max: 1e6 }), fc.constant(2 ** 40));
const shape: fc.Arbitrary<ArgumentShape> = fc.oneof(
  fc.array(dim, { maxLength: 5 }),
  fc.array(fc.array(dim, { maxLength: 3 }), { maxLength: 3 }),
  fc.constant(null),
);
const type = fc.constantFrom(
  'float',
  'c10::BFloat16',
  'long int',
  'bool',
  'Scalar',
  'TensorList',
  'nonsense',
  '',
);
const value = fc.constantFrom(
  'True',
  'False',
  '-1',
  '0',
  '1e308',
  '[1, 1]',
  '[0]',
  '[True, True, False]',
  'NaN',
);

test('whatever an op is given, its cost is a number of reasonable size or none', () => {
  const call = fc.record({
    name: fc.constantFrom(...NAMES),
    shapes: fc.array(shape, { maxLength: 9 }),
    types: fc.oneof(type, fc.array(type, { maxLength: 9 })),
    values: fc.dictionary(fc.integer({ min: 0, max: 14 }).map(String), value),
    bytes: fc.constantFrom(2, 4),
  });
  fc.assert(
    fc.property(call, ({ name, shapes, types, values, bytes }) => {
      const cost = costOfCall(name, shapes, { types, values, listType: { dtype: 'fp32', bytes } });
      if (!cost) return;
      for (const amount of [cost.flop, cost.repeatedFlop, cost.leastBytes]) {
        expect(amount).toBeGreaterThanOrEqual(0);
        expect(amount).toBeLessThanOrEqual(1e21);
      }
      expect(cost.repeatedFlop).toBeLessThanOrEqual(cost.flop);
    }),
    { numRuns: 3000 },
  );
});

const conv = { values: { 3: '[1]', 4: '[0]', 5: '[1]', 6: 'False' } };
/** Calls by their shapes, where `B` is the batch. */
const BATCHED: { name: string; shapes: string; parts?: CallParts }[] = [
  { name: 'aten::mm', shapes: '[[B, 32], [32, 64]]' },
  { name: 'aten::bmm', shapes: '[[B, 16, 32], [B, 32, 64]]' },
  { name: 'aten::linear', shapes: '[[B, 16, 32], [64, 32]]' },
  { name: 'aten::_grouped_mm', shapes: '[[B, 32], [4, 32, 64]]' },
  {
    name: 'aten::convolution',
    shapes: '[[B, 8, 16, 16], [8, 8, 3, 3], null, null, null, null, null]',
    parts: conv,
  },
  { name: 'aten::convolution_backward', shapes: '[[B, 8, 14, 14], [B, 8, 16, 16], [8, 8, 3, 3]]' },
  { name: 'aten::_scaled_dot_product_flash_attention', shapes: '[[B, 4, 9, 8], [B, 4, 9, 8], [B, 4, 9, 8]]' },
  { name: 'aten::native_layer_norm', shapes: '[[B, 32], null, [32], [32], null]' },
  { name: 'aten::_softmax', shapes: '[[B, 32], null, null]' },
  { name: 'aten::nll_loss_forward', shapes: '[[B, 32], [B]]' },
  { name: 'aten::gelu_backward', shapes: '[[B, 32], [B, 32], null]' },
  { name: 'aten::sum', shapes: '[[B, 32], null, null, null]' },
  { name: 'aten::copy_', shapes: '[[B, 32], [B, 32], null]' },
  { name: 'aten::cat', shapes: '[[[B, 8], [B, 4]], null]' },
  { name: 'aten::_fused_adamw_', shapes: '[[[B, 8], [B]], [[B, 8], [B]], [[B, 8], [B]], [[B, 8], [B]]]' },
];

test.each(BATCHED)(
  '$name: k times the batch is k times the flop, and no fewer bytes',
  ({ name, shapes, parts }) => {
    const call: CallParts = { listType: { dtype: 'fp32', bytes: 4 }, ...parts };
    const costOfBatch = (batch: number): OpCost =>
      knownCost(name, JSON.parse(shapes.replaceAll('B', String(batch))) as ArgumentShape[], call);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 16 }), (batch, k) => {
        const [one, many] = [costOfBatch(batch), costOfBatch(batch * k)];
        expect(many.flop).toBe(k * one.flop);
        expect(many.repeatedFlop).toBe(k * one.repeatedFlop);
        expect(many.leastBytes).toBeGreaterThanOrEqual(one.leastBytes);
        expect(many.leastBytes).toBeLessThanOrEqual(k * one.leastBytes);
      }),
    );
  },
);
