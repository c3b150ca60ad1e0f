import { type DtypeId, parseDtype } from '../gpu-specs/dtype';

/** One tensor that an op was given. Expanded tensors count with their full size: traces of today name no strides here. */
export interface TensorInput {
  dims: readonly number[];
  elements: number;
  /** Null when only the size of an element is known. */
  dtype: DtypeId | null;
  elementBytes: number;
  /** elements × elementBytes. */
  bytes: number;
}

/** Number format of elements; `dtype` is null when only the size is known. */
export interface ElementType {
  dtype: DtypeId | null;
  bytes: number;
}

/** Dimensions of the tensors of one list argument; `null` when the profiler left them out (lists of more than 30). */
type ListDims = readonly (readonly number[])[] | null;

type Argument =
  { kind: 'tensor'; tensor: TensorInput } | { kind: 'list'; dims: ListDims } | { kind: 'other' };

/** Longest text that is parsed; the longest real ones (lists of 30 tensors) have about 1,500 characters. */
const MAX_TEXT_CHARS = 1 << 16;
const MAX_ARGUMENTS = 256;
const MAX_DIMENSIONS = 64;
/** No tensor of one device has a quadrillion elements; larger products would lose exactness. */
const MAX_ELEMENTS = 1e15;

/** What an op was called with, as far as the trace shows it: shapes, types and, where recorded, values. */
export class OpInputs {
  private constructor(
    private readonly args: readonly Argument[],
    private readonly values: readonly (string | null)[],
    private readonly listType: ElementType | null,
    /** Dimensions of the output where something else than the call shows them; null otherwise. */
    readonly outputDims: readonly number[] | null,
  ) {}

  /**
   * Reads `Input Dims`, `Input type` and `Concrete Inputs` as they stand in a trace; `valuesText` is empty when the trace has
   * none. Null for what is no such text: not JSON, negative, fractional or absurd sizes, more than any op takes.
   */
  static parse(dimsText: string, typesText: string, valuesText = ''): OpInputs | null {
    const dims = parseArray(dimsText);
    const types = parseArray(typesText);
    if (!dims || !types || dims.length > MAX_ARGUMENTS) return null;
    const args: Argument[] = [];
    for (let i = 0; i < dims.length; i++) {
      const type = types[i];
      const argument = toArgument(dims[i], typeof type === 'string' ? type : '');
      if (!argument) return null;
      args.push(argument);
    }
    const values = (valuesText === '' ? null : parseArray(valuesText)) ?? [];
    return new OpInputs(
      args,
      values.map((value) => (typeof value === 'string' && value !== '' ? value : null)),
      null,
      null,
    );
  }

  /** True when an argument is a list of tensors: `Input type` then does not say of what type. */
  get hasLists(): boolean {
    return this.args.some((a) => a.kind === 'list');
  }

  /** True when the profiler left out the shapes of a list. */
  get hasCutLists(): boolean {
    return this.args.some((a) => a.kind === 'list' && a.dims === null);
  }

  /** The same with the type of list elements, and with `cutDims` for lists whose shapes were left out. */
  withLists(type: ElementType, cutDims: ListDims = null): OpInputs {
    const args = this.args.map((a): Argument =>
      a.kind === 'list' && a.dims === null ? { kind: 'list', dims: cutDims } : a,
    );
    return new OpInputs(args, this.values, type, this.outputDims);
  }

  /** The same with the dimensions of the output. */
  withOutput(dims: readonly number[] | null): OpInputs {
    return new OpInputs(this.args, this.values, this.listType, dims);
  }

  /** The tensor at argument `index`, or null. */
  tensor(index: number): TensorInput | null {
    const argument = this.args[index];
    return argument?.kind === 'tensor' ? argument.tensor : null;
  }

  /** Tensors that stand alone among the arguments [from, to), in their order. */
  tensors(from = 0, to = Infinity): TensorInput[] {
    return this.args.slice(from, to).flatMap((a) => (a.kind === 'tensor' ? [a.tensor] : []));
  }

  /** The tensors of the list at argument `index`; null when it is no list, or its shapes or type are not known. */
  list(index: number): TensorInput[] | null {
    const argument = this.args[index];
    const type = this.listType;
    if (argument?.kind !== 'list' || argument.dims === null || type === null) return null;
    return argument.dims.map((dims) => tensorOf(dims, elementsOf(dims) ?? 0, type));
  }

  /** Indices of the arguments that are lists. */
  listIndices(): number[] {
    return this.args.flatMap((a, i) => (a.kind === 'list' ? [i] : []));
  }

  /** Boolean argument at `index`; null when the trace does not show it. */
  flag(index: number): boolean | null {
    const value = this.values[index] ?? null;
    if (value === 'True' || value === 'true') return true;
    return value === 'False' || value === 'false' ? false : null;
  }

  /** Number at `index`; null when the trace does not show it. */
  number(index: number): number | null {
    const value = Number(this.values[index] ?? NaN);
    return Number.isFinite(value) ? value : null;
  }

  /** Text of the value at `index`, or null. */
  value(index: number): string | null {
    return this.values[index] ?? null;
  }

  /** Whole numbers such as `[2, 2]` at `index`; null when the trace does not show them. */
  integers(index: number): number[] | null {
    const value = this.values[index];
    const list = value == null ? null : parseArray(value);
    if (!list || list.length > MAX_DIMENSIONS || !list.every((v) => Number.isSafeInteger(v))) return null;
    return list as number[];
  }
}

function parseArray(text: string): unknown[] | null {
  if (text.length > MAX_TEXT_CHARS || !text.startsWith('[')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null for dimensions that no tensor has. */
function toArgument(dims: unknown, type: string): Argument | null {
  if (!Array.isArray(dims) || dims.length > MAX_ARGUMENTS) return null;
  if (type.endsWith('TensorList') || dims.some(Array.isArray)) {
    const list = dims.map(toDims);
    if (!list.every((d) => d !== null && elementsOf(d) !== null)) return null;
    return { kind: 'list', dims: dims.length === 0 ? null : (list as number[][]) };
  }
  const own = toDims(dims);
  const elements = own && elementsOf(own);
  if (!own || elements === null) return null;
  // Values of Python have names of their own: Scalar, ScalarList, Int, Double, Bool.
  const parsed = /^[A-Z]|^$/.test(type) ? null : parseDtype(type);
  if (!parsed) return { kind: 'other' };
  return { kind: 'tensor', tensor: tensorOf(own, elements, { dtype: parsed.id, bytes: parsed.bytes }) };
}

function toDims(raw: unknown): number[] | null {
  if (!Array.isArray(raw) || raw.length > MAX_DIMENSIONS) return null;
  return raw.every((d) => Number.isSafeInteger(d) && d >= 0) ? (raw as number[]) : null;
}

/** Product of `dims`, or null when it is beyond what one device can hold. */
function elementsOf(dims: readonly number[]): number | null {
  let elements = 1;
  for (const dim of dims) {
    if (dim === 0) return 0;
    elements *= dim;
    if (elements > MAX_ELEMENTS) return null;
  }
  return elements;
}

function tensorOf(dims: readonly number[], elements: number, type: ElementType): TensorInput {
  return { dims, elements, dtype: type.dtype, elementBytes: type.bytes, bytes: elements * type.bytes };
}
