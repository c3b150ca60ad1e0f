import { type OpCostFamily, vectorCost } from './op-cost';

/**
 * Negative log-likelihood: picks one value of each row and averages. Forward reads the targets and the picked values;
 * backward reads the targets and writes as many values (the zeros around them are an op of their own, `aten::zero_`).
 * The log-softmax of a cross-entropy is an op of its own as well.
 */
export const crossEntropy: OpCostFamily = {
  id: 'cross-entropy',
  names: [
    'aten::nll_loss_forward',
    'aten::nll_loss_backward',
    'aten::nll_loss2d_forward',
    'aten::nll_loss2d_backward',
  ],
  cost(name, inputs) {
    const first = name.endsWith('_backward') ? 1 : 0;
    const [logProbabilities, target] = [inputs.tensor(first), inputs.tensor(first + 1)];
    if (!logProbabilities || !target) return null;
    const picked = target.elements * logProbabilities.elementBytes;
    return vectorCost(target.elements, target.bytes + picked, logProbabilities.dtype);
  },
};
