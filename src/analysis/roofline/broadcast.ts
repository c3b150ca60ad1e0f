import { type DtypeId } from '../gpu-specs/dtype';
import { type TensorInput } from './op-inputs';

/** Dimensions that `shapes` have together by NumPy's rule, or null when they do not fit. */
export function broadcastDims(shapes: readonly (readonly number[])[]): number[] | null {
  const rank = Math.max(...shapes.map((dims) => dims.length));
  const result: number[] = [];
  for (let i = rank; i >= 1; i--) {
    let size = 1;
    for (const dims of shapes) {
      const own = dims.at(-i) ?? 1;
      if (own !== 1 && size !== 1 && own !== size) return null;
      if (own !== 1) size = own;
    }
    result.push(size);
  }
  return result;
}

/** Number of elements of a shape. */
export function productOf(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1);
}

/** Widening order: a later type wins over an earlier one. */
const ORDER: readonly (DtypeId | null)[] = [
  ...([null, 'bool', 'int8', 'int16', 'int32', 'int64'] as const),
  ...(['fp4', 'fp8', 'fp16', 'bf16', 'tf32', 'fp32', 'fp64', 'complex64', 'complex128'] as const),
];

/**
 * The operand whose type the result has: the widest, where tensors without dimensions do not count (Python numbers become
 * such). bf16 and fp16 together give fp32 in PyTorch; here they give one of the two, which is less.
 */
export function promoted(operands: readonly TensorInput[]): Pick<TensorInput, 'dtype' | 'elementBytes'> {
  const shaped = operands.filter((t) => t.dims.length > 0);
  const candidates = shaped.length > 0 ? shaped : operands;
  return candidates.reduce((a, b) => (ORDER.indexOf(b.dtype) > ORDER.indexOf(a.dtype) ? b : a));
}
