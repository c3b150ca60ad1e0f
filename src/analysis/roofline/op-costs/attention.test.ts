import fc from 'fast-check';
import { costOfCall, knownCost } from '../../../../test/builders/op-cost';
import { causalPairs } from './attention';

const qkv = [
  [2, 4, 128, 64],
  [2, 4, 128, 64],
  [2, 4, 128, 64],
];
const forwardShapes = [...qkv, null, null, null, null];
const flash = 'aten::_scaled_dot_product_flash_attention';
const full = 2 * 8 * 128 * 128 * (64 + 64);

test('without a mask: four flop per pair of positions and unit of the head', () => {
  const cost = knownCost(flash, forwardShapes, { values: { 4: 'False' } });
  expect(cost).toMatchObject({ flop: full, repeatedFlop: 0, flopKind: 'matrix', dtype: 'bf16', notes: [] });
  expect(cost.leastBytes).toBe(4 * 2 * (2 * 4 * 128 * 64) + 4 * (2 * 4 * 128));
});

test('with a causal mask: n(n + 1)/2 of the n² pairs', () => {
  const cost = knownCost(flash, forwardShapes, { values: { 4: 'True' } });
  expect(cost.flop).toBe((full * 129) / 256);
});

test('without the flag: counted in full, and said so', () => {
  expect(knownCost(flash, forwardShapes)).toMatchObject({ flop: full, notes: ['flop-upper-bound'] });
});

test('backward: five products, one of which repeats the forward pass', () => {
  const name = 'aten::_scaled_dot_product_flash_attention_backward';
  const shapes = [qkv[0], ...qkv, qkv[0], [2, 4, 128], [0], [0], null, null, null, null, null, null];
  const cost = knownCost(name, shapes, { values: { 11: 'False' } });
  expect(cost.flop).toBe((full / 2) * 5);
  expect(cost.repeatedFlop).toBe(full / 2);
  expect(cost.leastBytes).toBe(8 * 2 * (2 * 4 * 128 * 64) + 4 * (2 * 4 * 128));
});

test('cuDNN attention as traces of today write it', () => {
  const forward = knownCost(
    'aten::_cudnn_attention_forward',
    [[16, 16, 2048, 128], [16, 16, 2048, 128], [16, 16, 2048, 128], ...new Array<null>(10).fill(null)],
    { values: { 10: 'True' } },
  );
  expect(forward.flop).toBe(4 * 256 * ((2048 * 2049) / 2) * 128);
});

test('the sequence comes first in the library of FlashAttention, and the mask ends at the last key', () => {
  const shapes = [[2, 1, 4, 64], [2, 128, 1, 64], [2, 128, 1, 64], null, null, null];
  const cost = knownCost('flash_attn::_flash_attn_forward', shapes, { values: { 5: 'True' } });
  expect(cost.flop).toBe(2 * 8 * 128 * (64 + 64));
  expect(cost.leastBytes).toBe(2 * (2 * 4 * 64 + 2 * 2 * 128 * 64 + 2 * 4 * 64) + 4 * 8);
});

test('a sliding window is an upper bound', () => {
  const shapes = [[2, 128, 4, 64], [2, 128, 4, 64], [2, 128, 4, 64], null, null, null, null];
  const values = { 5: 'True', 6: '32' };
  expect(knownCost('flash_attn::_flash_attn_forward', shapes, { values }).notes).toEqual([
    'flop-upper-bound',
  ]);
});

test('packed sequences hide their lengths, and shapes that do not fit are no attention', () => {
  const sequenceFirst = [
    [2, 128, 4, 64],
    [2, 128, 4, 64],
    [2, 128, 4, 64],
  ];
  const types = ['c10::Half', 'c10::Half', 'c10::Half', 'int', 'int'];
  const name = 'aten::_flash_attention_forward';
  expect(costOfCall(name, [...sequenceFirst, [3], [3]], { types })).toBeNull();
  expect(costOfCall(name, [...sequenceFirst, null, null], { types: types.slice(0, 3) })).not.toBeNull();
  expect(
    costOfCall(flash, [
      [2, 4, 128, 64],
      [2, 4, 128, 32],
      [2, 4, 128, 64],
    ]),
  ).toBeNull();
  expect(
    costOfCall(flash, [
      [256, 4, 64],
      [256, 4, 64],
      [256, 4, 64],
    ]),
  ).toBeNull();
});

test('causal pairs are those of the mask, counted one by one', () => {
  fc.assert(
    fc.property(
      fc.nat(12),
      fc.nat(12),
      fc.constantFrom('top-left' as const, 'bottom-right' as const),
      (q, k, corner) => {
        let pairs = 0;
        for (let row = 0; row < q; row++) {
          for (let key = 0; key < k; key++) if (key <= row + (corner === 'top-left' ? 0 : k - q)) pairs++;
        }
        expect(causalPairs(q, k, corner)).toBe(pairs);
      },
    ),
  );
});
