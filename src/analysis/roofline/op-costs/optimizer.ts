import { type OpInputs } from '../op-inputs';
import { bytesOf, type OpCost, type OpCostFamily, vectorCost } from './op-cost';

/** What a fused optimizer does with each parameter: `read` and `written` count tensors of the parameter's size. */
interface FusedStep {
  flopPerElement: number;
  read: number;
  written: number;
}

/** Parameter, gradient and two moments are read, parameter and moments written; flop from the update rule with bias correction. */
const ADAM: FusedStep = { flopPerElement: 14, read: 4, written: 3 };
const ADAGRAD: FusedStep = { flopPerElement: 7, read: 3, written: 2 };
const SGD: FusedStep = { flopPerElement: 3, read: 2, written: 1 };
const SGD_WITH_MOMENTUM: FusedStep = { flopPerElement: 5, read: 3, written: 2 };

const FUSED: Readonly<Record<string, FusedStep>> = {
  'aten::_fused_adamw_': ADAM,
  'aten::_fused_adam_': ADAM,
  'aten::_fused_adagrad_': ADAGRAD,
  'aten::_fused_sgd_': SGD,
};
/** Position of `momentum` in `_fused_sgd_`. */
const SGD_MOMENTUM = 4;

const FOREACH = [
  ...['add', 'sub', 'mul', 'div', 'lerp', 'addcmul', 'addcdiv', 'sqrt', 'neg', 'reciprocal', 'maximum'],
  ...['copy', 'zero', 'pow', 'sign', 'abs', 'clamp_max', 'clamp_min', 'rsqrt'],
].flatMap((name) => [`aten::_foreach_${name}`, `aten::_foreach_${name}_`]);

/**
 * Optimizer steps over lists of tensors: bytes and flop per parameter. Fused steps read parameter, gradient and state and
 * write parameter and state; `_foreach_` ops are elementwise over their lists: each list read once, the first (or a new one)
 * written, one flop per list. The two factors of `addcmul` count as one list: in Adam both are the gradients.
 */
export const optimizer: OpCostFamily = {
  id: 'optimizer',
  names: [...Object.keys(FUSED), ...FOREACH],
  cost(name, inputs) {
    const parameters = inputs.list(0);
    if (!parameters) return null;
    const elements = parameters.reduce((sum, t) => sum + t.elements, 0);
    const dtype = parameters.at(0)?.dtype ?? null;
    const fused = fusedStep(name, inputs);
    if (!fused) return foreachCost(name, inputs, elements);
    const { flopPerElement, read, written } = fused;
    return vectorCost(flopPerElement * elements, (read + written) * bytesOf(...parameters), dtype);
  },
};

function fusedStep(name: string, inputs: OpInputs): FusedStep | undefined {
  const hasMomentum = name === 'aten::_fused_sgd_' && (inputs.number(SGD_MOMENTUM) ?? 0) !== 0;
  return hasMomentum ? SGD_WITH_MOMENTUM : FUSED[name];
}

function foreachCost(name: string, inputs: OpInputs, elements: number): OpCost | null {
  const lists = inputs.listIndices().map((index) => inputs.list(index));
  if (lists.some((list) => list === null)) return null;
  const [target] = lists;
  if (!target) return null;
  const writesOnly = /_(zero|copy)_$/.test(name);
  const distinct = name.startsWith('aten::_foreach_addcmul') ? lists.slice(0, 2) : lists;
  const read = distinct.slice(writesOnly ? 1 : 0).reduce((sum, list) => sum + bytesOf(...(list ?? [])), 0);
  const flop = writesOnly ? 0 : elements * lists.length;
  return vectorCost(flop, read + bytesOf(...target), target.at(0)?.dtype ?? null);
}
