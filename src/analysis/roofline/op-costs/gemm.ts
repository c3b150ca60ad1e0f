import { type OpInputs, type TensorInput } from '../op-inputs';
import { bytesOf, type CostNote, matrixCost, type OpCost, type OpCostFamily } from './op-cost';

/** A product of `batch` pairs of matrices, m×k by k×n. */
interface Product {
  batch: number;
  m: number;
  n: number;
  k: number;
}

/** Position of the two operands and of a summand that is read as well. */
interface Operands {
  a: number;
  b: number;
  addend: number | null;
  /** Position of the output's type; then the output may be wider than the operands. */
  outType: number | null;
  /** Position of the group offsets; two 2-d operands then give one product per group. */
  offsets?: number;
  product(a: readonly number[], b: readonly number[]): Product | null;
}

const plain = { addend: null, outType: null };
const OPERANDS: Readonly<Record<string, Operands>> = {
  'aten::mm': { a: 0, b: 1, ...plain, product: matrixByMatrix },
  'aten::_int_mm': { a: 0, b: 1, ...plain, product: matrixByMatrix },
  'aten::addmm': { a: 1, b: 2, addend: 0, outType: null, product: matrixByMatrix },
  'aten::addmm_': { a: 1, b: 2, addend: 0, outType: null, product: matrixByMatrix },
  'aten::_addmm_activation': { a: 1, b: 2, addend: 0, outType: null, product: matrixByMatrix },
  'aten::bmm': { a: 0, b: 1, ...plain, product: broadcastProduct },
  'aten::baddbmm': { a: 1, b: 2, addend: 0, outType: null, product: broadcastProduct },
  'aten::baddbmm_': { a: 1, b: 2, addend: 0, outType: null, product: broadcastProduct },
  'aten::matmul': { a: 0, b: 1, ...plain, product: broadcastProduct },
  'aten::linear': { a: 0, b: 1, addend: 2, outType: null, product: byTransposedWeight },
  'aten::mv': { a: 0, b: 1, ...plain, product: broadcastProduct },
  'aten::addmv_': { a: 1, b: 2, addend: 0, outType: null, product: broadcastProduct },
  'aten::dot': { a: 0, b: 1, ...plain, product: broadcastProduct },
  'aten::_scaled_mm': { a: 0, b: 1, addend: null, outType: 6, product: matrixByMatrix },
  'aten::_grouped_mm': { a: 0, b: 1, addend: null, outType: 4, offsets: 2, product: groupedProduct },
  'aten::_scaled_grouped_mm': { a: 0, b: 1, addend: null, outType: 7, offsets: 4, product: groupedProduct },
};

/**
 * Dense matrix products: 2·batch·m·n·k flop, the textbook count that BLAS libraries and torch.utils.flop_counter use. Least
 * bytes: both operands, the summand, and the product in the operands' type, or in the type that the call names.
 */
export const gemm: OpCostFamily = {
  id: 'gemm',
  names: Object.keys(OPERANDS),
  cost(name, inputs) {
    const operands = OPERANDS[name];
    const a = inputs.tensor(operands?.a ?? -1);
    const b = inputs.tensor(operands?.b ?? -1);
    const product = a && b && operands ? operands.product(a.dims, b.dims) : null;
    return a && b && product ? costOf(operands, product, a, b, inputs) : null;
  },
};

function costOf(
  operands: Operands,
  { batch, m, n, k }: Product,
  a: TensorInput,
  b: TensorInput,
  inputs: OpInputs,
): OpCost {
  const addend = operands.addend === null ? null : inputs.tensor(operands.addend);
  const offsets = operands.offsets === undefined ? null : inputs.tensor(operands.offsets);
  const groups = offsets && a.dims.length === 2 && b.dims.length === 2 ? offsets.elements : 1;
  const outBytes = groups * batch * m * n * outputBytes(operands, a, inputs);
  const notes: CostNote[] = [m, n, k].some((d) => d > 8 && d % 8 !== 0) ? ['unaligned-dims'] : [];
  if (operands.outType !== null && inputs.number(operands.outType) === null) notes.push('bytes-lower-bound');
  return matrixCost(2 * batch * m * n * k, bytesOf(a, b, addend) + outBytes, a.dtype, notes);
}

/** Bytes of an element by c10::ScalarType, as `out_dtype` is written: Half 5, Float 6, BFloat16 15. */
const SCALAR_TYPE_BYTES: Readonly<Record<number, number>> = { 5: 2, 6: 4, 15: 2 };

function outputBytes({ outType }: Operands, a: TensorInput, inputs: OpInputs): number {
  const type = outType === null ? null : inputs.number(outType);
  return (type === null ? undefined : SCALAR_TYPE_BYTES[type]) ?? a.elementBytes;
}

function matrixByMatrix(a: readonly number[], b: readonly number[]): Product | null {
  if (a.length !== 2 || b.length !== 2 || a[1] !== b[0]) return null;
  return { batch: 1, m: a[0], n: b[1], k: a[1] };
}

/** `x @ weight.T` over the last dimension of `x`; the weight is stored n×k. */
function byTransposedWeight(x: readonly number[], weight: readonly number[]): Product | null {
  const k = x.at(-1);
  if (k === undefined || weight.length !== 2 || weight[1] !== k) return null;
  return { batch: 1, m: product(x.slice(0, -1)), n: weight[0], k };
}

/** As `torch.matmul`: vectors are rows or columns, leading dimensions are broadcast. */
function broadcastProduct(a: readonly number[], b: readonly number[]): Product | null {
  if (a.length === 0 || b.length === 0) return null;
  const [m, k] = a.length === 1 ? [1, a[0]] : a.slice(-2);
  const [kOfB, n] = b.length === 1 ? [b[0], 1] : b.slice(-2);
  const batch = broadcastElements(a.slice(0, -2), b.slice(0, -2));
  return k === kOfB && batch !== null ? { batch, m, n, k } : null;
}

/**
 * As `torch._grouped_mm`: groups are slices of the dimension that the offsets cut, so the rows of all groups together are
 * that dimension.
 */
function groupedProduct(a: readonly number[], b: readonly number[]): Product | null {
  const k = a.at(-1);
  if (k === undefined || a.length < 2 || b.length < 2 || b.at(-2) !== k) return null;
  if (a.length === 3 && b.length === 3) return broadcastProduct(a, b);
  if (a.length > 3 || b.length > 3) return null;
  return { batch: 1, m: a[a.length - 2], n: b[b.length - 1], k };
}

function broadcastElements(a: readonly number[], b: readonly number[]): number | null {
  let elements = 1;
  for (let i = 1; i <= Math.max(a.length, b.length); i++) {
    const [x, y] = [a.at(-i) ?? 1, b.at(-i) ?? 1];
    if (x !== y && x !== 1 && y !== 1) return null;
    elements *= x === 1 ? y : x;
  }
  return elements;
}

function product(dims: readonly number[]): number {
  return dims.reduce((p, d) => p * d, 1);
}
