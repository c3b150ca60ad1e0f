import { memoize } from '../attribution/device-activity';
import { HostEventKind, type RankTimeline } from '../timeline/rank-timeline';
import { gradientShapes } from './op-costs/convolution';
import { OpInputs } from './op-inputs';

/**
 * Sizes of convolution outputs, as the gradients of the same trace show them: the forward pass alone tells them only with its
 * stride and padding, which many traces leave out. Shapes that occur with two different outputs tell nothing.
 */
export class ConvolutionOutputs {
  private readonly byShapes = new Map<string, readonly number[] | null>();

  constructor({ host, strings }: RankTimeline) {
    const isGradient = memoize((nameId) => strings.get(nameId).includes('convolution_backward'));
    const seen = new Set<string>();
    for (let row = 0; row < host.count; row++) {
      if (host.kind[row] !== HostEventKind.op || !isGradient(host.nameId[row])) continue;
      const [name, dims, types] = [host.nameId, host.inputDimsId, host.inputTypesId].map((ids) =>
        strings.get(ids[row]),
      );
      const key = `${name} ${dims} ${types}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const inputs = OpInputs.parse(dims, types);
      const shapes = inputs && gradientShapes(name, inputs);
      if (shapes) this.add(shapes.input.dims, shapes.weight.dims, shapes.gradient.dims);
    }
  }

  /** Dimensions of the output for an input and a weight, or null. */
  of(inputs: OpInputs): readonly number[] | null {
    const [input, weight] = [inputs.tensor(0), inputs.tensor(1)];
    return (input && weight && this.byShapes.get(keyOf(input.dims, weight.dims))) ?? null;
  }

  private add(input: readonly number[], weight: readonly number[], output: readonly number[]): void {
    const key = keyOf(input, weight);
    const known = this.byShapes.get(key);
    const differs = known !== undefined && known?.join() !== output.join();
    this.byShapes.set(key, differs ? null : output);
  }
}

function keyOf(input: readonly number[], weight: readonly number[]): string {
  return `${input.join()} ${weight.join()}`;
}
