import { bytesOf, type OpCostFamily, vectorCost } from './op-cost';

/** Maximum, subtraction, exponential, sum, and division (softmax) or logarithm and subtraction per row (log-softmax). */
const FORWARD_FLOP = 5;
/** Product with the output, sum, subtraction, product. */
const BACKWARD_FLOP = 4;

/** Position of `half_to_float`: then the output has four bytes an element. */
const HALF_TO_FLOAT = 2;
const FP32_BYTES = 4;

/**
 * Softmax and log-softmax, an exponential counted as one flop. Least bytes: forward the input and the output; backward the
 * gradient, the output, and the input's gradient.
 */
export const softmax: OpCostFamily = {
  id: 'softmax',
  names: [
    'aten::_softmax',
    'aten::_log_softmax',
    'aten::_softmax_backward_data',
    'aten::_log_softmax_backward_data',
  ],
  cost(name, inputs) {
    const first = inputs.tensor(0);
    if (!first) return null;
    if (!name.endsWith('_backward_data')) {
      const outBytes = inputs.flag(HALF_TO_FLOAT) === true ? FP32_BYTES : first.elementBytes;
      return vectorCost(FORWARD_FLOP * first.elements, first.bytes + first.elements * outBytes, first.dtype);
    }
    const output = inputs.tensor(1);
    if (!output || output.elements !== first.elements) return null;
    return vectorCost(BACKWARD_FLOP * output.elements, bytesOf(first, output) + output.bytes, output.dtype);
  },
};
