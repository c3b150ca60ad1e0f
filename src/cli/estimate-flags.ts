import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  CHECKPOINTINGS,
  ESTIMATE_DTYPES,
  type EstimateRequest,
  estimateRequestSchema,
  LINK_NAMES,
  OPTIMIZERS,
  SHARDINGS,
} from '../analysis';
import { UsageError } from './usage-error';

const MULTIPLES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9, g: 1e9, t: 1e12 };

/** Names that frameworks use for the same sharding. */
const SHARDING_ALIASES: Readonly<Record<string, string>> = {
  full_shard: 'zero3',
  fsdp: 'zero3',
  shard_grad_op: 'zero2',
  hybrid_shard: 'hybrid',
  no_shard: 'none',
  ddp: 'none',
};

/** Adds the flags that describe a training run. */
export function addEstimateFlags(command: Command): Command {
  const oneOf = (flags: string, about: string, choices: readonly string[]): Option =>
    new Option(flags, about).choices(choices);
  return command
    .requiredOption('--params <n>', 'parameters of the model, for example 7e9 or 7b', number)
    .addOption(oneOf('--dtype <format>', 'format of the arithmetic', ESTIMATE_DTYPES).default('bf16'))
    .option('--trainable <n>', 'parameters that are trained, when fewer (LoRA)', number)
    .addOption(
      oneOf(
        '--parameter-dtype <format>',
        'format of the stored parameters; fp32 with autocast',
        ESTIMATE_DTYPES,
      ),
    )
    .addOption(oneOf('--gradient-dtype <format>', 'format of the gradients', ESTIMATE_DTYPES))
    .option('--master-weights', 'the optimizer keeps an fp32 copy of the parameters')
    .addOption(oneOf('--optimizer <name>', 'optimizer', OPTIMIZERS))
    .addOption(oneOf('--state-dtype <format>', 'format of the optimizer states', ESTIMATE_DTYPES))
    .option('--world-size <n>', 'GPUs, each a data-parallel rank', number)
    .option('--gpus-per-node <n>', 'GPUs of one node', number)
    .option(
      '--sharding <kind>',
      `${SHARDINGS.join(', ')} (or ${Object.keys(SHARDING_ALIASES).join(', ')})`,
      (kind: string) => SHARDING_ALIASES[kind.toLowerCase()] ?? kind.toLowerCase(),
    )
    .option('--accumulation <n>', 'micro-batches per optimizer step', number)
    .option('--micro-batch <n>', 'sequences of one forward pass on one GPU', number)
    .option('--sequence <n>', 'tokens of a sequence', number)
    .option('--layers <n>', 'layers', number)
    .option('--hidden <n>', 'width of the model', number)
    .option('--heads <n>', 'attention heads', number)
    .option('--vocabulary <n>', 'size of the vocabulary', number)
    .addOption(oneOf('--checkpointing <kind>', 'activation checkpointing', CHECKPOINTINGS))
    .option('--no-flash-attention', 'attention keeps its scores in memory')
    .option('--gpu <name>', 'GPU by its name or id in the catalogue, for example "NVIDIA H200"')
    .option('--peak-flops <n>', 'dense peak in flop/s, for a GPU that the catalogue does not know', number)
    .option('--gpu-memory <bytes>', 'memory of one GPU in bytes, likewise', number)
    .addOption(oneOf('--link <name>', 'slowest link between the ranks', LINK_NAMES))
    .option('--link-bandwidth <bytes/s>', 'its bandwidth per GPU and direction, instead of a name', number)
    .option('--step-time <seconds>', 'measured time of one optimizer step', number)
    .option('--tokens <n>', 'tokens of one optimizer step on one GPU', number);
}

/** Field of a request by flag. */
const FIELDS = {
  params: 'parameters',
  dtype: 'dtype',
  trainable: 'trainableParameters',
  parameterDtype: 'parameterDtype',
  gradientDtype: 'gradientDtype',
  masterWeights: 'masterWeights',
  optimizer: 'optimizer',
  stateDtype: 'stateDtype',
  worldSize: 'worldSize',
  gpusPerNode: 'gpusPerNode',
  sharding: 'sharding',
  accumulation: 'gradientAccumulation',
  microBatch: 'microBatchSize',
  sequence: 'sequenceLength',
  layers: 'layers',
  hidden: 'hiddenSize',
  heads: 'heads',
  vocabulary: 'vocabulary',
  checkpointing: 'checkpointing',
  flashAttention: 'flashAttention',
  gpu: 'gpu',
  peakFlops: 'peakFlopPerSec',
  gpuMemory: 'gpuMemoryBytes',
  link: 'link',
  linkBandwidth: 'linkBandwidthBytesPerSec',
  stepTime: 'stepTimeS',
  tokens: 'tokensPerStep',
} as const;

export type EstimateFlags = Partial<Record<keyof typeof FIELDS, string | number | boolean>>;

/**
 * The request that the flags describe, completed by its defaults.
 *
 * @throws UsageError that names every flag that is wrong
 */
export function readEstimateRequest(flags: EstimateFlags): EstimateRequest {
  const entries = Object.entries(FIELDS).map(([flag, field]) => [field, flags[flag as keyof typeof FIELDS]]);
  const result = estimateRequestSchema.safeParse(Object.fromEntries(entries));
  if (result.success) return result.data;
  const flagOf = (field: string): string =>
    Object.entries(FIELDS)
      .find(([, f]) => f === field)?.[0]
      .replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`) ?? field;
  throw new UsageError(
    result.error.issues.map(({ path, message }) => `--${flagOf(String(path[0]))}: ${message}`).join('; '),
  );
}

/** A number as people write it: 7e9, 7b, 350M, 0.25. */
function number(text: string): number {
  const match = /^(\d+(?:\.\d+)?(?:e[+-]?\d+)?)([kmbgt]?)$/i.exec(text.trim());
  if (!match) throw new InvalidArgumentError('Write a number such as 7e9, 7b or 0.25.');
  const value = Number(match[1]) * MULTIPLES[match[2].toLowerCase()];
  // 1.1e9 · 1 and 1.1 · 1e9 differ in the last bit; counts are whole.
  return Math.abs(value - Math.round(value)) < 1e-9 * value ? Math.round(value) : value;
}
