import { type OpInputs, type TensorInput } from '../op-inputs';
import { bytesOf, matrixCost, type OpCost, type OpCostFamily } from './op-cost';

/** Where an attention op has its operands, and where its causal flag. */
interface Layout {
  /** Positions of query, key and value. */
  qkv: readonly [number, number, number];
  /** Heads before or after the sequence: [B, H, S, D] or [B, S, H, D]. */
  order: 'heads-first' | 'sequence-first';
  /** Position of `is_causal`. */
  causal: number | null;
  /** Position of `custom_mask_type`: 0 none, 1 causal from the top left, 2 from the bottom right. */
  maskType?: number;
  /** Position of cumulative lengths: when given, sequences are packed and their lengths are not visible. */
  packed?: number;
  /** Position of the size of a sliding window, -1 for none. What it leaves out is not counted out. */
  window?: number;
  /** Where row 0 of the causal mask begins when query and key differ in length. */
  corner: 'top-left' | 'bottom-right';
  backward: boolean;
}

const forward = { qkv: [0, 1, 2], corner: 'top-left', backward: false } as const;
const backward = { qkv: [1, 2, 3], corner: 'top-left', backward: true } as const;
const [headsFirst, sequenceFirst] = [{ order: 'heads-first' }, { order: 'sequence-first' }] as const;
const flashLibrary = { ...sequenceFirst, corner: 'bottom-right' } as const;

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'aten::_scaled_dot_product_flash_attention': { ...forward, ...headsFirst, causal: 4 },
  'aten::_scaled_dot_product_efficient_attention': { ...forward, ...headsFirst, causal: 6 },
  'aten::_scaled_dot_product_cudnn_attention': { ...forward, ...headsFirst, causal: 6 },
  'aten::_flash_attention_forward': { ...forward, ...sequenceFirst, causal: 8, packed: 3, window: 11 },
  'aten::_efficient_attention_forward': {
    ...forward,
    ...sequenceFirst,
    causal: null,
    maskType: 9,
    packed: 4,
  },
  'aten::_cudnn_attention_forward': { ...forward, ...headsFirst, causal: 10, packed: 4 },
  'aten::_scaled_dot_product_flash_attention_backward': { ...backward, ...headsFirst, causal: 11, packed: 6 },
  'aten::_scaled_dot_product_efficient_attention_backward': { ...backward, ...headsFirst, causal: 11 },
  'aten::_scaled_dot_product_cudnn_attention_backward': { ...backward, ...headsFirst, causal: 14, packed: 9 },
  'aten::_flash_attention_backward': { ...backward, ...sequenceFirst, causal: 11, packed: 6, window: 15 },
  'aten::_efficient_attention_backward': {
    ...backward,
    ...sequenceFirst,
    causal: null,
    maskType: 14,
    packed: 6,
  },
  'aten::_cudnn_attention_backward': { ...backward, ...headsFirst, causal: 14, packed: 9 },
  'flash_attn::_flash_attn_forward': { ...forward, ...flashLibrary, causal: 5, window: 6 },
  'flash_attn::_flash_attn_backward': { ...backward, ...flashLibrary, causal: 11, window: 12 },
};

/**
 * Fused attention: forward 2·B·H·P·(D + Dv) flop, where P is the number of query-key pairs (Sq·Sk, with a causal mask those
 * it leaves), for Q·Kᵀ and P·V. The backward has five products where the forward has two; the first of them repeats Q·Kᵀ
 * (Dao, "FlashAttention-2", 2023, section 4.1). Softmax is left out, as torch.utils.flop_counter does.
 * Least bytes: q, k, v, output and the log-sum-exp of each row; backward also the output's gradient and dq, dk, dv.
 */
export const attention: OpCostFamily = {
  id: 'attention',
  names: Object.keys(LAYOUTS),
  cost(name, inputs) {
    const layout = LAYOUTS[name];
    if (!layout || (layout.packed !== undefined && hasElements(inputs.tensor(layout.packed)))) return null;
    const [q, k, v] = layout.qkv.map((index) => inputs.tensor(index));
    const sizes = q && k && v ? sizesOf(layout, q, k, v) : null;
    return q && k && v && sizes ? costOf(layout, sizes, q, k, v, inputs) : null;
  },
};

function hasElements(tensor: TensorInput | null): boolean {
  return tensor !== null && tensor.dims.length > 0 && tensor.elements > 0;
}

interface Sizes {
  /** Batch times heads of the query; key and value may have fewer heads, which several query heads read. */
  batchHeads: number;
  queryLength: number;
  keyLength: number;
  keyDim: number;
  valueDim: number;
}

function sizesOf({ order }: Layout, q: TensorInput, k: TensorInput, v: TensorInput): Sizes | null {
  if ([q, k, v].some((t) => t.dims.length !== 4)) return null;
  const [heads, length] = order === 'heads-first' ? [1, 2] : [2, 1];
  const sizes: Sizes = {
    batchHeads: q.dims[0] * q.dims[heads],
    queryLength: q.dims[length],
    keyLength: k.dims[length],
    keyDim: q.dims[3],
    valueDim: v.dims[3],
  };
  const consistent = k.dims[3] === sizes.keyDim && v.dims[length] === sizes.keyLength;
  return consistent ? sizes : null;
}

function costOf(
  layout: Layout,
  sizes: Sizes,
  q: TensorInput,
  k: TensorInput,
  v: TensorInput,
  inputs: OpInputs,
): OpCost {
  const mask = maskOf(layout, inputs);
  const { batchHeads, queryLength, keyLength, keyDim, valueDim } = sizes;
  const pairs =
    mask === 'top-left' || mask === 'bottom-right'
      ? causalPairs(queryLength, keyLength, mask)
      : queryLength * keyLength;
  const queryKey = 2 * batchHeads * pairs * keyDim;
  const weightedValue = 2 * batchHeads * pairs * valueDim;
  const rowBytes = batchHeads * queryLength * FP32_BYTES;
  const outBytes = batchHeads * queryLength * valueDim * q.elementBytes;
  const windowed = layout.window !== undefined && (inputs.number(layout.window) ?? -1) >= 0;
  const notes = mask === 'unknown' || windowed ? (['flop-upper-bound'] as const) : [];
  if (!layout.backward) {
    return matrixCost(queryKey + weightedValue, bytesOf(q, k, v) + outBytes + rowBytes, q.dtype, notes);
  }
  const leastBytes = 2 * bytesOf(q, k, v) + 2 * outBytes + rowBytes;
  // Q·Kᵀ again, dV, dP, dQ and dK.
  const flop = 3 * queryKey + 2 * weightedValue;
  return { ...matrixCost(flop, leastBytes, q.dtype, notes), repeatedFlop: queryKey };
}

const FP32_BYTES = 4;

function maskOf(layout: Layout, inputs: OpInputs): 'none' | 'top-left' | 'bottom-right' | 'unknown' {
  if (layout.maskType !== undefined) {
    const type = inputs.number(layout.maskType);
    if (type === null) return 'unknown';
    return type === 1 ? 'top-left' : type === 2 ? 'bottom-right' : 'none';
  }
  const causal = layout.causal === null ? null : inputs.flag(layout.causal);
  if (causal === null) return 'unknown';
  return causal ? layout.corner : 'none';
}

/** Query-key pairs that a causal mask leaves: row i sees keys 0 … i, from the given corner. */
export function causalPairs(
  queryLength: number,
  keyLength: number,
  corner: 'top-left' | 'bottom-right',
): number {
  // Row i (from 0) sees `first + i` keys, at least none and at most all.
  const first = corner === 'top-left' ? 1 : keyLength - queryLength + 1;
  const blind = Math.min(queryLength, Math.max(0, 1 - first));
  const full = Math.min(queryLength - blind, Math.max(0, queryLength - (keyLength - first)));
  const partial = queryLength - blind - full;
  const firstSeen = first + blind;
  return partial * firstSeen + (partial * (partial - 1)) / 2 + full * keyLength;
}
