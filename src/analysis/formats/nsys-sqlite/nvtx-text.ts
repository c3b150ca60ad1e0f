/** What the text of an NVTX range says, as positions in the text. */
export interface NvtxText {
  /** Where the name ends. */
  nameEnd: number;
  /** True for an operator of a framework, false for a range that a person or the framework set around several. */
  isOperator: boolean;
  /** Autograd sequence number; NaN when absent. */
  sequence: number;
  /** Shapes of the inputs as `emit_nvtx(record_shapes=True)` writes them, [start, end); null when absent. */
  shapes: readonly [number, number] | null;
}

/** `torch.autograd.profiler.emit_nvtx` writes `aten::mm, seq = 12, op_id = 34, sizes = [[2, 3], [3, 4]], input_op_ids = …`. */
const DETAILS = /, (?:seq|op_id|sizes) = /;
const SEQUENCE = /, seq = (\d{1,9})(?=,|$)/;
const SHAPES = ', sizes = ';
const AFTER_SHAPES = ', input_op_ids = ';
/** Ranges of the framework that are none of its operators, although `emit_nvtx` writes them alike. */
const ANNOTATION = /^(ProfilerStep#|Optimizer\.|enumerate\(DataLoader\)|\[pl\])/;
const QUALIFIED = /^\w+::\w/;

/** Takes the text of a range apart. `text` has one character for each byte. */
export function parseNvtxText(text: string): NvtxText {
  const details = text.search(DETAILS);
  const nameEnd = details < 0 ? text.length : details;
  const isOperator = !ANNOTATION.test(text) && (details >= 0 || QUALIFIED.test(text));
  const sequence = SEQUENCE.exec(text)?.[1];
  return {
    nameEnd,
    isOperator,
    sequence: sequence === undefined ? NaN : Number(sequence),
    shapes: details < 0 ? null : shapesIn(text, details),
  };
}

/** By plain search: a pattern that looks for the last bracket takes quadratic time on a text made for it. */
function shapesIn(text: string, from: number): readonly [number, number] | null {
  const at = text.indexOf(SHAPES, from);
  if (at < 0) return null;
  const start = at + SHAPES.length;
  const after = text.indexOf(AFTER_SHAPES, start);
  const end = after < 0 ? text.length : after;
  return text[start] === '[' && text[end - 1] === ']' ? [start, end] : null;
}
