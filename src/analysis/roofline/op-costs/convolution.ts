import { type OpInputs, type TensorInput } from '../op-inputs';
import { productOf } from '../broadcast';
import { bytesOf, matrixCost, type OpCost, type OpCostFamily } from './op-cost';

/** Positions of the arguments that tell the output's size; null where the op has none of that kind. */
interface ForwardLayout {
  bias: number | null;
  stride: number;
  padding: number;
  dilation: number;
  transposed: number | null;
}

const usual: ForwardLayout = { bias: 2, stride: 3, padding: 4, dilation: 5, transposed: null };
const FORWARD: Readonly<Record<string, ForwardLayout>> = {
  'aten::conv1d': usual,
  'aten::conv2d': usual,
  'aten::conv3d': usual,
  'aten::convolution': { ...usual, transposed: 6 },
  'aten::_convolution': { ...usual, transposed: 6 },
  'aten::cudnn_convolution': { bias: null, padding: 2, stride: 3, dilation: 4, transposed: null },
  'aten::miopen_convolution': { bias: 2, padding: 3, stride: 4, dilation: 5, transposed: null },
};

/** Positions of output gradient, input, weight and, where there is one, of the mask of wanted gradients. */
const BACKWARD: Readonly<Record<string, readonly [number, number, number, number | null]>> = {
  'aten::convolution_backward': [0, 1, 2, 10],
  'aten::cudnn_convolution_backward': [1, 0, 2, null],
  'aten::miopen_convolution_backward': [1, 0, 2, null],
};

/** Position of `transposed` in `aten::convolution_backward`; the others are never transposed. */
const TRANSPOSED = 7;

/**
 * Direct convolution: 2·(outputs)·(weights per output channel) flop; each gradient costs the same as the forward pass, as in
 * torch.utils.flop_counter. Algorithms with fewer multiplications (Winograd, FFT) may exceed a peak by this count.
 * The size of the output follows from stride, padding and dilation, or is that of its gradient; without either there is no cost.
 */
export const convolution: OpCostFamily = {
  id: 'convolution',
  names: [...Object.keys(FORWARD), ...Object.keys(BACKWARD)],
  cost(name, inputs) {
    const layout = FORWARD[name];
    return layout ? forwardCost(layout, inputs) : backwardCost(name, inputs);
  },
};

/** The tensors of a backward convolution; null when they are not there or do not fit. */
export function gradientShapes(
  name: string,
  inputs: OpInputs,
): { gradient: TensorInput; input: TensorInput; weight: TensorInput } | null {
  const positions = BACKWARD[name];
  if (!positions) return null;
  const [gradient, input, weight] = positions.slice(0, 3).map((i) => inputs.tensor(i ?? -1));
  if (!gradient || !input || !weight || weight.dims.length < 3) return null;
  const fits = gradient.dims.length === weight.dims.length && input.dims.length === weight.dims.length;
  return fits ? { gradient, input, weight } : null;
}

function forwardCost(layout: ForwardLayout, inputs: OpInputs): OpCost | null {
  const [input, weight] = [inputs.tensor(0), inputs.tensor(1)];
  if (!input || !weight || input.dims.length < 3 || weight.dims.length !== input.dims.length) return null;
  const transposed = layout.transposed === null ? false : inputs.flag(layout.transposed);
  const output = outputDims(layout, input, weight, transposed, inputs) ?? inputs.outputDims;
  const flop = output && productFlop(input, weight, output, transposed);
  if (!output || flop === null) return null;
  const bias = layout.bias === null ? null : inputs.tensor(layout.bias);
  const outBytes = productOf(output) * input.elementBytes;
  return matrixCost(flop, bytesOf(input, weight, bias) + outBytes, input.dtype);
}

/** Dimensions of the output of an ordinary convolution; those of a transposed one depend on `output_padding` too. */
function outputDims(
  layout: ForwardLayout,
  input: TensorInput,
  weight: TensorInput,
  transposed: boolean | null,
  inputs: OpInputs,
): number[] | null {
  const [stride, padding, dilation] = [layout.stride, layout.padding, layout.dilation].map((index) => {
    const values = inputs.integers(index);
    return values && values.length > 0 ? values : null;
  });
  if (!stride || !padding || !dilation || transposed !== false) return null;
  const at = (values: readonly number[], i: number): number => values[Math.min(i, values.length - 1)];
  const sizes = input.dims.slice(2).map((size, i) => {
    const window = at(dilation, i) * (weight.dims[i + 2] - 1) + 1;
    return Math.floor((size + 2 * at(padding, i) - window) / at(stride, i)) + 1;
  });
  const real = sizes.every((size) => Number.isSafeInteger(size) && size > 0);
  return real ? [input.dims[0], weight.dims[0], ...sizes] : null;
}

function backwardCost(name: string, inputs: OpInputs): OpCost | null {
  const shapes = gradientShapes(name, inputs);
  if (!shapes) return null;
  const { gradient, input, weight } = shapes;
  const maskAt = BACKWARD[name][3];
  const mask = maskAt === null ? null : maskOf(inputs, maskAt);
  const [inputWanted, weightWanted] = mask ?? [true, true];
  const flopEach = productFlop(input, weight, gradient.dims, inputs.flag(TRANSPOSED));
  if (flopEach === null) return null;
  const leastBytes =
    gradient.bytes +
    (inputWanted ? weight.bytes + input.bytes : 0) +
    (weightWanted ? input.bytes + weight.bytes : 0);
  const flop = (Number(inputWanted) + Number(weightWanted)) * flopEach;
  return matrixCost(flop, leastBytes, gradient.dtype, mask ? [] : ['flop-upper-bound']);
}

/** `[True, True, False]`: gradients of input, weight and bias. */
function maskOf(inputs: OpInputs, index: number): [boolean, boolean] | null {
  const flags = /^\[(True|False), ?(True|False), ?(True|False)\]$/i.exec(inputs.value(index) ?? '');
  return flags ? [/true/i.test(flags[1]), /true/i.test(flags[2])] : null;
}

/**
 * 2·outputs·(weights that meet in one output), groups included; a transposed convolution is the gradient of an ordinary one, so
 * input and output change places. The weight begins with the channels of the side that counts.
 */
function productFlop(
  input: TensorInput,
  weight: TensorInput,
  output: readonly number[],
  transposedFlag: boolean | null,
): number | null {
  const transposed = transposedFlag ?? output[1] !== weight.dims[0];
  const side = transposed ? input.dims : output;
  const channels = weight.dims[0];
  if (side[1] !== channels) return null;
  return channels === 0 ? 0 : 2 * productOf(side) * (weight.elements / channels);
}
