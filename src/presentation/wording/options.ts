import { type OptionId, type OptionNote, type OptionReport } from '../../analysis';
import { formatBytes, formatNs, formatRatio } from '../quantity';

/** What an option is for, and what it costs in general: most options that save memory take time. */
export interface OptionWording {
  title: string;
  saves: string;
  costs: string;
}

/** Words by option; a missing one does not compile. */
export const OPTION_WORDING: Readonly<Record<OptionId, OptionWording>> = {
  'activation-checkpointing': {
    title: 'activation checkpointing',
    saves: 'activations: only the inputs of layers are kept',
    costs: 'forward work a second time, about 30 % more compute',
  },
  sharding: {
    title: 'ZeRO / FSDP',
    saves: 'optimizer states, gradients, parameters: each rank holds a part',
    costs: 'communication: half as much again as data parallelism when parameters are sharded too',
  },
  lora: {
    title: 'LoRA / PEFT',
    saves: 'gradients and optimizer states: few parameters are trained',
    costs: 'less compute per step, so the device may be fed worse',
  },
  quantisation: {
    title: 'quantised weights',
    saves: 'weights: 8 or 4 bits each',
    costs: 'weights are expanded again whenever they are used',
  },
  'gradient-accumulation': {
    title: 'gradient accumulation',
    saves: 'activations: a large batch in small pieces; communication: one exchange for all of them',
    costs: 'nothing per piece, and it makes no piece more efficient; a larger batch that fits is better',
  },
  'flash-attention': {
    title: 'flash attention',
    saves: 'attention scores and the traffic for them',
    costs: 'nothing; needs 16-bit inputs and a supported mask',
  },
  compile: {
    title: 'torch.compile',
    saves: 'memory traffic by fusion, and launches',
    costs: 'minutes of compilation, again for every new shape',
  },
  'cuda-graphs': {
    title: 'CUDA graphs',
    saves: 'launches: hundreds of kernels by one call',
    costs: 'static shapes, and memory for the graph',
  },
  'mixed-precision': {
    title: 'mixed precision',
    saves: 'half the bytes, and matrix units at their full rate',
    costs: 'conversions between formats',
  },
  'grad-scaler': {
    title: 'GradScaler',
    saves: 'small fp16 gradients from vanishing',
    costs: 'a pass over all gradients and a check for infinities each step',
  },
  tf32: {
    title: 'TF32',
    saves: 'time of 32-bit matrix products, on the matrix units',
    costs: '13 bits of mantissa',
  },
  'fused-optimizer': {
    title: 'fused optimizer',
    saves: 'launches and passes over parameters and states',
    costs: 'nothing',
  },
  'device-max-connections': {
    title: 'CUDA_DEVICE_MAX_CONNECTIONS=1',
    saves: 'launches keep their order, which overlap in tensor parallelism builds on',
    costs: 'streams may wait for each other, so communication may overlap less',
  },
};

const ns = (value: number | null): string => (value === null ? 'an unknown time' : formatNs(value));
const share = (o: OptionReport, key = 'share'): string => {
  const value = o.note.values[key];
  return typeof value === 'number' ? formatRatio(value) : 'an unknown share';
};
const bytes = (o: OptionReport, key: string): string => {
  const value = o.note.values[key];
  return typeof value === 'number' ? formatBytes(value) : 'an unknown amount';
};
const text = (o: OptionReport, key: string): string => String(o.note.values[key] ?? 'unknown');
const always = (words: string) => (): string => words;

/** What the state means here, with this run's own figures. Written for terminals, pages and comments alike. */
export const OPTION_NOTE_WORDING: Readonly<Record<OptionNote, (o: OptionReport) => string>> = {
  'checkpointing-on': (o) =>
    o.costNs === null
      ? 'Its time cannot be read from this trace.'
      : `Computing activations again takes ${ns(o.costNs)} of each step.`,
  'checkpointing-with-free-memory': (o) =>
    `${o.costNs === null ? 'It takes time' : `Computing activations again takes ${ns(o.costNs)} of each step`}, and the run peaks at ${share(o, 'peakMemoryShare')} of the memory: switch it off and watch the peak.`,
  'checkpointing-off': always('Nothing is computed twice.'),
  'checkpointing-hidden-by-compile': always(
    'A compiled backward pass may compute again inside its own kernels.',
  ),
  'no-backward-operators': always('The trace has no backward operators: record ProfilerActivity.CPU.'),
  'sharding-on': (o) =>
    `All-gathers and reduce-scatters that nothing covers take ${ns(o.costNs)} of each step.`,
  'sharding-not-needed': (o) =>
    `All-gathers and reduce-scatters that nothing covers take ${ns(o.costNs)} of each step (${share(o)}), its host work comes on top, and the unsharded states are ${bytes(o, 'statesBytes')}, which fit: try DDP, SHARD_GRAD_OP, or a larger batch.`,
  'sharding-off': always('Each rank holds all states.'),
  'sharding-one-rank': always('One rank: nothing to shard.'),
  'sharding-not-visible': always('Neither an annotation of FSDP or DDP nor the metadata says (parallel).'),
  'lora-on': (o) => `${share(o, 'trainableShare')} of the parameters are trained.`,
  'lora-off': always('No adapter among the functions of the trace or in the metadata.'),
  'lora-not-visible': always('Frozen parameters leave no trace; write trainable_params into the metadata.'),
  'quantisation-on': (o) =>
    o.costNs === null
      ? 'No kernel of its own is seen.'
      : `Expanding weights takes ${ns(o.costNs)} of each step.`,
  'quantisation-off': always('No kernel of the trace expands weights.'),
  'no-kernels-and-operators': always('Needs both operators and kernels in the trace.'),
  'accumulation-on': (o) => `${text(o, 'microBatches')} micro-batches per optimizer step.`,
  'accumulation-off': always('Every forward pass has its optimizer step.'),
  'accumulation-not-visible': always(
    'Neither the metadata (grad_accum) nor annotations of loader and optimizer say.',
  ),
  'flash-attention-on': (o) => {
    const attentionNs = o.note.values.attentionNs;
    return typeof attentionNs === 'number'
      ? `Attention kernels take ${ns(attentionNs)} of each step.`
      : 'In use.';
  },
  'flash-attention-off': (o) =>
    `Softmax and masks of the scores alone take ${ns(o.actsOnNs)} of each step: use scaled_dot_product_attention.`,
  'no-attention': always('The trace has no attention.'),
  'compile-on': always('In use.'),
  'compile-without-effect': always(
    'The metadata asks for it, and the trace shows no compiled region and no generated kernel: look for graph breaks (TORCH_LOGS=graph_breaks).',
  ),
  'compile-would-cut-launches': (o) =>
    `The device waits for launches ${share(o, 'gapShare')} of each step and fusable kernels take ${share(o)}: mode="reduce-overhead" acts on both (${ns(o.actsOnNs)}).`,
  'compile-would-fuse': (o) =>
    `Chains of memory-bound operators take ${ns(o.actsOnNs)} of each step (${share(o)}): fusion saves a part of that.`,
  'compile-little-to-fuse': (o) =>
    `Memory-bound operators take ${share(o)} of the step and the device does not wait for launches: little to gain.`,
  'graphs-on': (o) =>
    o.note.values.graphLaunchesPerStep === undefined
      ? 'In use.'
      : `${text(o, 'graphLaunchesPerStep')} graph launch(es) a step.`,
  'graphs-off': always('Not in use.'),
  'graphs-would-help': (o) =>
    `The device waits ${ns(o.actsOnNs)} of each step (${share(o)}) for launches: graphs can save up to that, and the loader must keep up first.`,
  'graphs-gain-nothing': always('The device does not wait for launches: graphs gain nothing here.'),
  'no-runtime-calls': always('The trace has no runtime calls.'),
  'precision-16-bit': (o) =>
    o.costNs === null ? 'In use.' : `Conversions take ${ns(o.costNs)} of each step (${share(o)}).`,
  'precision-dear-casts': (o) =>
    `Conversions take ${ns(o.costNs)} of each step (${share(o)}): torch.compile fuses them, and weights kept in 16 bits need none.`,
  'precision-fp16-where-bf16-is': (o) =>
    `This GPU computes bf16 at the same rate with the range of fp32, without a GradScaler. Conversions take ${ns(o.costNs)} of each step.`,
  'precision-32-bit': (o) =>
    `32-bit matrix work takes ${ns(o.actsOnNs)} of each step: bf16 autocast, or at least TF32, moves it to the matrix units.`,
  'precision-without-effect': (o) =>
    `The metadata says ${text(o, 'written')}, and the matrix work of the trace is in 32 bits: the model is not under autocast.`,
  'dtype-not-visible': always('Neither operators, kernels nor metadata (dtype) tell the format.'),
  'scaler-with-bf16': always(
    'A mistake: bf16 has the range of fp32. Remove the GradScaler and its check each step.',
  ),
  'scaler-with-fp16': always('Right for fp16.'),
  'scaler-without-16-bit': always('There is no 16-bit matrix work to scale gradients for.'),
  'scaler-off': always('Not in use, and not needed.'),
  'scaler-missing-for-fp16': always('Gradients in fp16 may vanish without one; bf16 needs none.'),
  'no-operators': always('The trace has no operators.'),
  'tf32-on': always('In use.'),
  'tf32-off': (o) =>
    `32-bit matrix products on the ordinary cores take ${ns(o.actsOnNs)} of each step (${share(o)}): torch.set_float32_matmul_precision("high").`,
  'tf32-not-there': always('This GPU has no TF32.'),
  'no-32-bit-products': always('No 32-bit matrix products to speak of.'),
  'optimizer-fused': (o) => `The optimizer takes ${ns(o.costNs)} of each step.`,
  'optimizer-not-fused': (o) =>
    `The optimizer takes ${ns(o.actsOnNs)} of each step (${share(o)}) in its ${text(o, 'form')} form: fused=True saves a part of that.`,
  'optimizer-little-to-gain': (o) =>
    `In its ${text(o, 'form')} form, and ${ns(o.actsOnNs)} of each step (${share(o)}): little to gain.`,
  'no-optimizer': always('The trace has no optimizer.'),
  'connections-one': always('Launches keep their order.'),
  'connections-one-with-collectives': always(
    'It may hold back the overlap of communication and compute; compare a run without it.',
  ),
  'connections-several': always('Streams overlap freely.'),
  'connections-not-visible': always('The environment in the metadata does not name it.'),
};

/** How the state of an option reads, its form included: "on (bf16 autocast)". */
export function optionState({ state, form }: Pick<OptionReport, 'state' | 'form'>): string {
  const word = state === 'not-visible' ? 'not visible' : state;
  return form === null ? word : `${word} (${form})`;
}
