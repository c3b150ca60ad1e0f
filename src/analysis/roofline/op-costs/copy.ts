import { bytesOf, type OpCostFamily, vectorCost } from './op-cost';

/**
 * Copies, casts and concatenations: no flop, every source read once and the result written once. Casts run as `aten::copy_`
 * inside `aten::_to_copy`, which alone does not show the new type.
 */
export const copy: OpCostFamily = {
  id: 'copy',
  names: ['aten::copy_', 'aten::clone', 'aten::contiguous', 'aten::cat', 'aten::_cat', 'aten::stack'],
  cost(name, inputs) {
    if (name === 'aten::copy_') {
      const [target, source] = [inputs.tensor(0), inputs.tensor(1)];
      return target && source ? vectorCost(0, bytesOf(target, source), target.dtype) : null;
    }
    const sources = inputs.list(0) ?? listOfOne(inputs.tensor(0));
    return sources ? vectorCost(0, 2 * bytesOf(...sources), sources[0]?.dtype ?? null) : null;
  },
};

function listOfOne<T>(item: T | null): T[] | null {
  return item === null ? null : [item];
}
