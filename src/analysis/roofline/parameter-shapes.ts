import { type RankAttribution } from '../attribution/attribute-rank';
import { HostEventKind } from '../timeline/rank-timeline';
import { OpInputs } from './op-inputs';

/** Gradients of leaf parameters arrive here, one event a parameter and backward pass. */
const ACCUMULATE_GRAD = 'torch::autograd::AccumulateGrad';
/** Elements that one block of PyTorch's `multi_tensor_apply` takes (kChunkSize); unchanged since 2019. */
const ELEMENTS_PER_BLOCK = 65_536;

/** The trained parameters of a rank, as the gradients of one of its steps show them. */
export class ParameterShapes {
  /** All elements. */
  readonly count: number;
  private readonly candidates: readonly (readonly (readonly number[])[])[];

  constructor(readonly dims: readonly (readonly number[])[]) {
    this.count = elements(dims);
    // Optimizers often have two groups: matrices, which decay, and vectors, which do not.
    const matrices = dims.filter((d) => d.length >= 2);
    const vectors = dims.filter((d) => d.length < 2);
    this.candidates = [dims, matrices, vectors];
  }

  /**
   * The parameters that an optimizer kernel of so many blocks went over, or null. The profiler leaves out lists of more than
   * 30 tensors; the grid tells them exactly: a block takes a chunk of one tensor, so the counts must agree to the block.
   */
  matching(blocks: number): readonly (readonly number[])[] | null {
    return this.candidates.find((dims) => dims.length > 0 && blocksOf(dims) === blocks) ?? null;
  }
}

/** Reads the parameters from the gradients of the first counted step. */
export function findParameterShapes({ timeline, windows }: RankAttribution): ParameterShapes {
  const { host, strings } = timeline;
  const step = windows.windows.find((w) => w.excluded === null);
  const occurrences = new Map<number, { dims: readonly number[]; count: number }>();
  for (let row = 0; step && row < host.count; row++) {
    if (host.startNs[row] < step.startNs || host.startNs[row] >= step.endNs) continue;
    if (host.kind[row] !== HostEventKind.op || host.inputDimsId[row] === 0) continue;
    if (strings.get(host.nameId[row]) !== ACCUMULATE_GRAD) continue;
    const id = host.inputDimsId[row];
    const known = occurrences.get(id);
    if (known) known.count++;
    else {
      const gradient = OpInputs.parse(strings.get(id), strings.get(host.inputTypesId[row]))?.tensor(0);
      if (gradient) occurrences.set(id, { dims: gradient.dims, count: 1 });
    }
  }
  const shapes = [...occurrences.values()];
  // Gradient accumulation shows every parameter as often as there are backward passes.
  const passes = shapes.reduce((divisor, s) => greatestCommonDivisor(divisor, s.count), 0);
  return new ParameterShapes(
    shapes.flatMap((s) => new Array<readonly number[]>(s.count / passes).fill(s.dims)),
  );
}

function elements(dims: readonly (readonly number[])[]): number {
  return dims.reduce((sum, d) => sum + d.reduce((p, size) => p * size, 1), 0);
}

function blocksOf(dims: readonly (readonly number[])[]): number {
  return dims.reduce((sum, d) => sum + Math.ceil(elements([d]) / ELEMENTS_PER_BLOCK), 0);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
