import { type OpInputs, type TensorInput } from '../op-inputs';
import { bytesOf, type OpCost, type OpCostFamily, vectorCost } from './op-cost';

/** Positions of what a norm reads. */
interface NormLayout {
  input: number;
  /** Gradient of the output; null in the forward pass. */
  gradient: number | null;
  weight: number | null;
  bias: number | null;
  flopPerElement: number;
}

/** Mean and variance (3), normalising (2), weight and bias (2); an RMS norm has no mean and no bias (4 in all). */
const CENTERED_FLOP = 7;
const RMS_FLOP = 4;
/**
 * Two sums over the gradient (5), the input's gradient from them (5), the weight's and the bias's (3); RMS: one sum (3), input's
 * gradient (4), weight's (2).
 */
const CENTERED_BACKWARD_FLOP = 13;
const RMS_BACKWARD_FLOP = 9;

const centered = { gradient: null, bias: null, flopPerElement: CENTERED_FLOP };
const centeredBackward = { bias: null, flopPerElement: CENTERED_BACKWARD_FLOP };
const LAYOUTS: Readonly<Record<string, NormLayout>> = {
  'aten::native_layer_norm': { ...centered, input: 0, weight: 2, bias: 3 },
  'aten::native_group_norm': { ...centered, input: 0, weight: 1, bias: 2 },
  'aten::native_batch_norm': { ...centered, input: 0, weight: 1, bias: 2 },
  'aten::cudnn_batch_norm': { ...centered, input: 0, weight: 1, bias: 2 },
  'aten::miopen_batch_norm': { ...centered, input: 0, weight: 1, bias: 2 },
  'aten::_batch_norm_with_update': { ...centered, input: 0, weight: 1, bias: 2 },
  'aten::_fused_rms_norm': { ...centered, input: 0, weight: 2, flopPerElement: RMS_FLOP },
  'aten::native_layer_norm_backward': { ...centeredBackward, gradient: 0, input: 1, weight: 5 },
  'aten::native_group_norm_backward': { ...centeredBackward, gradient: 0, input: 1, weight: 4 },
  'aten::native_batch_norm_backward': { ...centeredBackward, gradient: 0, input: 1, weight: 2 },
  'aten::batch_norm_backward': { ...centeredBackward, gradient: 0, input: 1, weight: 2 },
  'aten::cudnn_batch_norm_backward': { ...centeredBackward, gradient: 1, input: 0, weight: 2 },
  'aten::miopen_batch_norm_backward': { ...centeredBackward, gradient: 1, input: 0, weight: 2 },
  'aten::_fused_rms_norm_backward': {
    gradient: 0,
    input: 1,
    weight: 4,
    bias: null,
    flopPerElement: RMS_BACKWARD_FLOP,
  },
};

/**
 * Layer, RMS, group and batch norm. Flop per element by counting the operations of the definition (the memory is the roof
 * anyway). Least bytes: forward the input, its parameters and the output; backward the output's gradient, the input, the
 * weight, and as many bytes of gradients. The statistics of each row are left out: under a thousandth of the rest.
 */
export const norm: OpCostFamily = {
  id: 'norm',
  names: Object.keys(LAYOUTS),
  cost(name, inputs) {
    const layout = LAYOUTS[name];
    const input = layout ? inputs.tensor(layout.input) : null;
    return layout && input ? costOf(layout, input, inputs) : null;
  },
};

function costOf(layout: NormLayout, input: TensorInput, inputs: OpInputs): OpCost | null {
  const at = (index: number | null): TensorInput | null => (index === null ? null : inputs.tensor(index));
  const parameters = bytesOf(at(layout.weight), at(layout.bias));
  const flop = layout.flopPerElement * input.elements;
  if (layout.gradient === null) return vectorCost(flop, 2 * input.bytes + parameters, input.dtype);
  const gradient = inputs.tensor(layout.gradient);
  if (!gradient || gradient.elements !== input.elements) return null;
  return vectorCost(flop, gradient.bytes + 2 * input.bytes + 2 * parameters, input.dtype);
}
