import { HostEventKind, type RankTimeline } from '../timeline/rank-timeline';
import { ConvolutionOutputs } from './convolution-outputs';
import { costOf, familyOf } from './op-costs';
import { convolution } from './op-costs/convolution';
import { type OpCost, type OpCostFamily } from './op-costs/op-cost';
import { type ElementType, OpInputs } from './op-inputs';

/** An op with the inputs it was given: everything that its cost depends on. One for all calls that are alike. */
export interface OpCall {
  name: string;
  family: OpCostFamily;
  /** As in the trace, without line breaks. */
  inputDims: string;
  inputTypes: string;
  inputs: OpInputs;
  /** Null when it depends on what only the kernel shows: the type of lists, or their shapes. */
  cost: OpCost | null;
}

/** The op calls of one trace. Each distinct combination of name and inputs is parsed and costed once. */
export class OpCalls {
  private readonly families = new Map<number, OpCostFamily | null>();
  private readonly calls = new Map<string, OpCall | null>();
  private outputs: ConvolutionOutputs | null = null;

  constructor(private readonly timeline: RankTimeline) {}

  /** The call at host row `row`; null when it is no operator, has no cost family, no shapes or unreadable ones. */
  at(row: number): OpCall | null {
    const { host } = this.timeline;
    if (host.kind[row] !== HostEventKind.op || host.inputDimsId[row] === 0) return null;
    const nameId = host.nameId[row];
    const family = this.familyOf(nameId);
    if (!family) return null;
    const [dimsId, typesId] = [host.inputDimsId[row], host.inputTypesId[row]];
    const valuesId = host.inputValuesId[row];
    const key = `${nameId} ${dimsId} ${typesId} ${valuesId}`;
    let call = this.calls.get(key);
    if (call === undefined) {
      call = this.read(family, nameId, dimsId, typesId, valuesId);
      this.calls.set(key, call);
    }
    return call;
  }

  /** True when the name at `row` has a cost family, whatever its inputs. */
  isModelled(row: number): boolean {
    return this.familyOf(this.timeline.host.nameId[row]) !== null;
  }

  private familyOf(nameId: number): OpCostFamily | null {
    let family = this.families.get(nameId);
    if (family === undefined) {
      family = familyOf(this.timeline.strings.get(nameId));
      this.families.set(nameId, family);
    }
    return family;
  }

  private read(
    family: OpCostFamily,
    nameId: number,
    dimsId: number,
    typesId: number,
    valuesId: number,
  ): OpCall | null {
    const { strings } = this.timeline;
    const [name, inputDims, inputTypes] = [nameId, dimsId, typesId].map((id) => strings.get(id));
    let inputs = OpInputs.parse(inputDims, inputTypes, strings.get(valuesId));
    if (!inputs) return null;
    if (family === convolution) {
      this.outputs ??= new ConvolutionOutputs(this.timeline);
      inputs = inputs.withOutput(this.outputs.of(inputs));
    }
    const cost = costOf(family, name, inputs);
    if (!cost && !inputs.hasLists) return null;
    return { name, family, inputDims: tidy(inputDims), inputTypes: tidy(inputTypes), inputs, cost };
  }
}

/** Cost of a call over lists, with what its kernels show. */
export function costOfLists(
  { name, family, inputs }: OpCall,
  type: ElementType,
  cutDims: readonly (readonly number[])[] | null,
): OpCost | null {
  return costOf(family, name, inputs.withLists(type, cutDims));
}

/** Some writers break arrays into lines. */
function tidy(text: string): string {
  return text.includes('\n') ? text.replace(/\s+/g, ' ').replaceAll('[ ', '[').replaceAll(' ]', ']') : text;
}
