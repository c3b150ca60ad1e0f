import { type OpCostFamily, vectorCost } from './op-cost';

const REDUCTIONS = [
  ...['sum', 'nansum', 'mean', 'prod', 'amax', 'amin', 'max', 'min', 'argmax', 'argmin', 'all', 'any'],
  ...['norm', 'linalg_vector_norm', 'std', 'var', 'var_mean', 'logsumexp', 'count_nonzero'],
].map((name) => `aten::${name}`);
/** As many results as inputs. */
const SCANS = ['cumsum', 'cumprod', 'logcumsumexp'].map((name) => `aten::${name}`);

/**
 * Reductions and scans, one flop per element read. Least bytes of a reduction: the input, and the output where the call was
 * given one; otherwise its size is not visible and one element counts (`bytes-lower-bound`).
 */
export const reduction: OpCostFamily = {
  id: 'reduction',
  names: [...REDUCTIONS, ...SCANS],
  cost(name, inputs) {
    const [input, second] = inputs.tensors();
    if (!input) return null;
    if (SCANS.includes(name)) return vectorCost(input.elements, 2 * input.bytes, input.dtype);
    // max and min of two tensors compare element by element.
    if (second && second.elements >= input.elements) {
      return vectorCost(input.elements, input.bytes + 2 * second.bytes, input.dtype);
    }
    if (second) return vectorCost(input.elements, input.bytes + second.bytes, input.dtype);
    return vectorCost(input.elements, input.bytes + input.elementBytes, input.dtype, ['bytes-lower-bound']);
  },
};
