import { type DtypeId } from '../../src/analysis/gpu-specs/dtype';
import { costOf, familyOf } from '../../src/analysis/roofline/op-costs';
import { type OpCost } from '../../src/analysis/roofline/op-costs/op-cost';
import { OpInputs } from '../../src/analysis/roofline/op-inputs';

/** Shapes of one argument: a tensor, a list of tensors, or null for what is no tensor. */
export type ArgumentShape = readonly number[] | readonly (readonly number[])[] | null;

export interface CallParts {
  /** Type of each argument, or of all tensors; `c10::BFloat16` when absent. */
  types?: string | readonly string[];
  /** `Concrete Inputs`, by position. */
  values?: Readonly<Record<number, string>>;
  /** Type of list elements, which only kernels show. */
  listType?: { dtype: DtypeId | null; bytes: number };
}

/** Cost of a call as a trace would show it; null when there is none. */
export function costOfCall(
  name: string,
  shapes: readonly ArgumentShape[],
  { types = 'c10::BFloat16', values, listType }: CallParts = {},
): OpCost | null {
  const typeOf = (shape: ArgumentShape, i: number): string => {
    if (typeof types !== 'string') return types[i] ?? '';
    if (shape === null) return 'Scalar';
    return shape.some(Array.isArray) ? 'TensorList' : types;
  };
  const inputs = OpInputs.parse(
    JSON.stringify(shapes.map((shape) => shape ?? [])),
    JSON.stringify(shapes.map(typeOf)),
    values ? JSON.stringify(shapes.map((_, i) => values[i] ?? '')) : '',
  );
  const family = familyOf(name);
  if (!inputs || !family) return null;
  return costOf(family, name, listType ? inputs.withLists(listType) : inputs);
}

/** As `costOfCall`, where there must be one. */
export function knownCost(...call: Parameters<typeof costOfCall>): OpCost {
  const cost = costOfCall(...call);
  if (!cost) throw new Error(`${call[0]} has no cost`);
  return cost;
}
