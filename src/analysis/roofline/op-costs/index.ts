import { type OpInputs } from '../op-inputs';
import { attention } from './attention';
import { convolution } from './convolution';
import { copy } from './copy';
import { crossEntropy } from './cross-entropy';
import { elementwise } from './elementwise';
import { embedding } from './embedding';
import { gemm } from './gemm';
import { norm } from './norm';
import { type OpCost, type OpCostFamily } from './op-cost';
import { optimizer } from './optimizer';
import { reduction } from './reduction';
import { softmax } from './softmax';

/** Every op family with a cost. One line adds a family. */
export const OP_COST_FAMILIES: readonly OpCostFamily[] = [
  gemm,
  convolution,
  attention,
  norm,
  softmax,
  crossEntropy,
  elementwise,
  reduction,
  embedding,
  copy,
  optimizer,
];

const FAMILY_BY_OP: ReadonlyMap<string, OpCostFamily> = new Map(
  OP_COST_FAMILIES.flatMap((family) => family.names.map((name) => [name, family])),
);

/** The family that knows the op of this name, or null. */
export function familyOf(opName: string): OpCostFamily | null {
  return FAMILY_BY_OP.get(opName) ?? null;
}

/** No device does as much in one op; absurd shapes stop here. */
const MAX_FLOP = 1e21;
const MAX_BYTES = 1e15;

/** Cost of one call, or null when the family cannot tell it or the result is beyond any device. */
export function costOf(family: OpCostFamily, opName: string, inputs: OpInputs): OpCost | null {
  const cost = family.cost(opName, inputs);
  if (!cost) return null;
  const plausible =
    cost.flop >= 0 && cost.flop <= MAX_FLOP && cost.leastBytes >= 0 && cost.leastBytes <= MAX_BYTES;
  return plausible ? cost : null;
}
