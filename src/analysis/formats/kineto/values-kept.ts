import { type StringTable } from '../../timeline/string-table';

/** Ops whose work depends on arguments that are no tensors: causal flags, strides, output types, momentum. */
const OPS = /attention|attn|conv|scaled_mm|grouped_mm|softmax|index_select|_fused_/;

/** Decides by name, once for each, whose `Concrete Inputs` are kept: those of all ops would be as many texts as events. */
export class ValuesKept {
  private readonly kept: (boolean | undefined)[] = [];

  constructor(private readonly strings: StringTable) {}

  has(nameId: number): boolean {
    return (this.kept[nameId] ??= OPS.test(this.strings.get(nameId)));
  }
}
