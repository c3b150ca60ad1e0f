import { type DtypeId } from '../../gpu-specs/dtype';
import { type OpInputs, type TensorInput } from '../op-inputs';

/**
 * What a cost leaves open. `flop-upper-bound`: the trace does not show the causal flag or the gradient mask, so the work is
 * counted in full. `bytes-lower-bound`: the size of an output is not visible. `unaligned-dims`: a matrix dimension is no
 * multiple of 8, which matrix units pad.
 */
export type CostNote = 'flop-upper-bound' | 'bytes-lower-bound' | 'unaligned-dims';

/** What one call of an op has to compute and to move at least: each input read once, each output written once. */
export interface OpCost {
  /** A multiply and an add are two. */
  flop: number;
  /** Part of `flop` that repeats work of the forward pass inside the kernel: no part of the model's own flop. */
  repeatedFlop: number;
  leastBytes: number;
  /** Number format of the operands; null when only their size is known. */
  dtype: DtypeId | null;
  /** `matrix` work can run on tensor cores, `vector` work cannot. */
  flopKind: 'matrix' | 'vector';
  notes: readonly CostNote[];
}

/** The ops of one kind and their cost. */
export interface OpCostFamily {
  id: string;
  /** Full names, as traces write them. */
  names: readonly string[];
  /** Null when the inputs do not show enough, or are none that the op takes. Pure; never throws. */
  cost(name: string, inputs: OpInputs): OpCost | null;
}

/** Cost of matrix work: products of `operands` whose format is that of the first one. */
export function matrixCost(
  flop: number,
  leastBytes: number,
  dtype: DtypeId | null,
  notes: readonly CostNote[] = [],
): OpCost {
  return { flop, repeatedFlop: 0, leastBytes, dtype, flopKind: 'matrix', notes };
}

/** Cost of work that matrix units do not take. */
export function vectorCost(
  flop: number,
  leastBytes: number,
  dtype: DtypeId | null,
  notes: readonly CostNote[] = [],
): OpCost {
  return { flop, repeatedFlop: 0, leastBytes, dtype, flopKind: 'vector', notes };
}

/** Bytes of all `tensors`; absent ones count nothing. */
export function bytesOf(...tensors: readonly (TensorInput | null)[]): number {
  return tensors.reduce((sum, tensor) => sum + (tensor?.bytes ?? 0), 0);
}
