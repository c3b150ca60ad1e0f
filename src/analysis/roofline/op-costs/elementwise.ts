import { type OpInputs } from '../op-inputs';
import { broadcastDims, productOf, promoted } from '../broadcast';
import { bytesOf, type OpCost, type OpCostFamily, vectorCost } from './op-cost';

/** Ops by the number of first arguments that they read; further tensors of the same size are outputs. */
const NONE = ['fill', 'zero', 'normal', 'uniform', 'bernoulli', 'random'];
const UNARY = [
  ...['abs', 'neg', 'exp', 'exp2', 'expm1', 'log', 'log2', 'log10', 'log1p', 'sqrt', 'rsqrt', 'reciprocal'],
  ...['square', 'sin', 'cos', 'tan', 'tanh', 'erf', 'sigmoid', 'log_sigmoid_forward', 'logit', 'sign', 'sgn'],
  ...['relu', 'gelu', 'silu', 'mish', 'elu', 'leaky_relu', 'hardtanh', 'hardswish', 'softplus', 'threshold'],
  ...['clamp', 'clamp_min', 'clamp_max', 'floor', 'ceil', 'round', 'trunc', 'nan_to_num', 'tril', 'triu'],
  ...['bitwise_not', 'logical_not', 'isfinite', 'isinf', 'isnan'],
];
const BINARY = [
  ...['add', 'sub', 'rsub', 'mul', 'div', 'pow', 'remainder', 'fmod', 'maximum', 'minimum', 'atan2'],
  ...['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'logical_and', 'logical_or', 'logical_xor', 'bitwise_and'],
  ...['bitwise_or', 'bitwise_xor', '__and__', '__or__', 'masked_fill', 'native_dropout_backward'],
  ...[
    'gelu_backward',
    'silu_backward',
    'mish_backward',
    'tanh_backward',
    'sigmoid_backward',
    'logit_backward',
  ],
  ...['threshold_backward', 'leaky_relu_backward', 'hardtanh_backward', 'hardswish_backward'],
  ...['softplus_backward'],
];
const TERNARY = ['addcmul', 'addcdiv', 'lerp', 'where'];

const ARITY: ReadonlyMap<string, number> = new Map(
  [NONE, UNARY, BINARY, TERNARY].flatMap((names, arity) =>
    names.flatMap((name) => [`aten::${name}`, `aten::${name}_`].map((full) => [full, arity] as const)),
  ),
);

/** Results are truth values, one byte each. */
const PREDICATES = /^aten::(eq|ne|lt|le|gt|ge|logical_\w+|isfinite|isinf|isnan)$/;
/** Read for something else than its values. */
const WRITES_ONLY = 0;

/**
 * Operations on each element by itself, one flop per element of the result (an exponential counts as one): least bytes are
 * the operands, each once and at its own size before broadcasting, and the result in the promoted type.
 */
export const elementwise: OpCostFamily = {
  id: 'elementwise',
  names: [...ARITY.keys(), 'aten::native_dropout'],
  cost(name, inputs) {
    if (name === 'aten::native_dropout') return dropoutCost(inputs);
    const arity = ARITY.get(name);
    return arity === undefined ? null : costOf(name, arity, inputs);
  },
};

function costOf(name: string, arity: number, inputs: OpInputs): OpCost | null {
  const operandCount = Math.max(arity, 1);
  const operands = inputs.tensors(0, operandCount);
  const dims = operands.length > 0 ? broadcastDims(operands.map((t) => t.dims)) : null;
  if (!dims) return null;
  const elements = productOf(dims);
  const [first] = operands;
  if (arity === WRITES_ONLY) return vectorCost(0, first.bytes, first.dtype);
  const read = bytesOf(...operands);
  const flop = elements;
  // In place, the first operand is the result.
  if (isInPlace(name)) return vectorCost(flop, read + first.bytes, first.dtype);
  const given = inputs.tensors(operandCount).find((t) => t.elements === elements && t.dims.length > 0);
  const result = given ?? promoted(operands);
  const elementBytes = PREDICATES.test(name) && !given ? 1 : result.elementBytes;
  return vectorCost(flop, read + elements * elementBytes, result.dtype);
}

function isInPlace(name: string): boolean {
  return name.endsWith('_') && !name.endsWith('__');
}

/** Writes the result and a mask of one byte an element. */
function dropoutCost(inputs: OpInputs): OpCost | null {
  const input = inputs.tensor(0);
  return input ? vectorCost(2 * input.elements, 2 * input.bytes + input.elements, input.dtype) : null;
}
