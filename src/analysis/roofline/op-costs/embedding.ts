import { type OpInputs, type TensorInput } from '../op-inputs';
import { productOf } from '../broadcast';
import { type OpCost, type OpCostFamily, vectorCost } from './op-cost';

/**
 * Row look-up and its gradient. Forward: the indices, each row that is read at most once, and the result. Backward: the
 * gradient and the indices; which rows of the weight's gradient are written depends on the indices' values
 * (`bytes-lower-bound`), and the zeros between them are an op of their own (`aten::zero_`).
 */
export const embedding: OpCostFamily = {
  id: 'embedding',
  names: ['aten::embedding', 'aten::index_select', 'aten::gather', 'aten::embedding_dense_backward'],
  cost(name, inputs) {
    switch (name) {
      case 'aten::embedding':
        return lookUpCost(inputs.tensor(0), inputs.tensor(1), 0);
      case 'aten::index_select':
        return lookUpCost(inputs.tensor(0), inputs.tensor(2), inputs.number(1));
      case 'aten::gather':
        return gatherCost(inputs.tensor(0), inputs.tensor(2));
      default:
        return backwardCost(inputs);
    }
  },
};

/** `dim` is where the table is indexed; unknown counts as 0, the only one that embeddings use. */
function lookUpCost(table: TensorInput | null, index: TensorInput | null, dim: number | null): OpCost | null {
  if (!table || !index || table.dims.length === 0) return null;
  const rows = table.dims[dim ?? 0];
  if (rows === undefined || rows === 0) return null;
  const resultBytes = (table.bytes / rows) * index.elements;
  return vectorCost(0, index.bytes + Math.min(table.bytes, resultBytes) + resultBytes, table.dtype);
}

/** Indices of `gather` are often one row expanded, and then read once; their bytes are left out. */
function gatherCost(table: TensorInput | null, index: TensorInput | null): OpCost | null {
  if (!table || !index) return null;
  const resultBytes = productOf(index.dims) * table.elementBytes;
  return vectorCost(0, Math.min(table.bytes, resultBytes) + resultBytes, table.dtype, ['bytes-lower-bound']);
}

function backwardCost(inputs: OpInputs): OpCost | null {
  const [gradient, index] = [inputs.tensor(0), inputs.tensor(1)];
  if (!gradient || !index) return null;
  return vectorCost(gradient.elements, gradient.bytes + index.bytes, gradient.dtype, ['bytes-lower-bound']);
}
