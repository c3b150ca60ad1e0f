import { z } from 'zod';
import { findGpu, whyNoGpu } from './find-gpu';
import { GPU_LINKS, LINK_NAMES } from './links';

export const ESTIMATE_DTYPES = ['fp64', 'fp32', 'tf32', 'bf16', 'fp16', 'fp8', 'int8', 'fp4'] as const;
export type EstimateDtype = (typeof ESTIMATE_DTYPES)[number];

/** What the optimizer keeps per trained parameter decides its memory; `sgd` without momentum keeps nothing. */
export const OPTIMIZERS = ['adamw', 'adamw-8bit', 'sgd', 'sgd-momentum', 'adafactor', 'none'] as const;

/** Who holds what: FSDP's `full_shard` is `zero3`, `shard_grad_op` is `zero2`, `hybrid_shard` is `hybrid`. */
export const SHARDINGS = ['none', 'zero1', 'zero2', 'zero3', 'hybrid'] as const;
export type Sharding = (typeof SHARDINGS)[number];

/** Activation checkpointing: `selective` computes the attention core again, `full` every layer. */
export const CHECKPOINTINGS = ['none', 'selective', 'full'] as const;
export type Checkpointing = (typeof CHECKPOINTINGS)[number];

/** Bounds that no training run meets; they keep sums finite and answers small. */
const count = (max: number): z.ZodInt => z.int().min(1).max(max);
const amount = (max: number): z.ZodNumber => z.number().positive().max(max);

const fields = z.strictObject({
  parameters: count(1e15).describe('Parameters of the whole model.').meta({ example: 7e9 }),
  trainableParameters: count(1e15)
    .optional()
    .describe('Parameters that are trained; all when left out. Fewer with LoRA and other adapters.'),
  dtype: z.enum(ESTIMATE_DTYPES).describe('Format of the arithmetic.'),
  parameterDtype: z
    .enum(ESTIMATE_DTYPES)
    .optional()
    .describe(
      'Format of the stored parameters; that of the arithmetic when left out (fp32 for tf32, bf16 for fp8). With autocast it is fp32.',
    ),
  gradientDtype: z
    .enum(ESTIMATE_DTYPES)
    .optional()
    .describe('Format of the gradients; that of the stored parameters when left out.'),
  masterWeights: z
    .boolean()
    .default(false)
    .describe('Whether the optimizer keeps an fp32 copy of the trained parameters beside them.'),
  optimizer: z.enum(OPTIMIZERS).default('adamw'),
  stateDtype: z.enum(ESTIMATE_DTYPES).default('fp32').describe('Format of the optimizer states.'),
  worldSize: count(1e7).default(1).describe('GPUs, each a data-parallel rank.'),
  gpusPerNode: count(1e4).optional(),
  sharding: z.enum(SHARDINGS).default('none'),
  gradientAccumulation: count(1e6).default(1).describe('Micro-batches per optimizer step.'),
  microBatchSize: count(1e9).optional().describe('Sequences of one forward pass on one GPU.'),
  sequenceLength: count(1e9).optional(),
  layers: count(1e6).optional(),
  hiddenSize: count(1e8).optional(),
  heads: count(1e6).optional(),
  vocabulary: count(1e9).optional(),
  checkpointing: z.enum(CHECKPOINTINGS).default('none'),
  flashAttention: z.boolean().default(true).describe('Whether attention keeps no scores in memory.'),
  gpu: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('A model of the GPU catalogue, by id or by the name that its driver gives.'),
  peakFlopPerSec: amount(1e18).optional().describe('Dense peak; wins over the catalogue.'),
  gpuMemoryBytes: amount(1e15).optional().describe('Memory of one GPU; wins over the catalogue.'),
  link: z
    .enum(LINK_NAMES)
    .optional()
    .describe('Slowest link that a collective crosses; with hybrid sharding the one between nodes.'),
  linkBandwidthBytesPerSec: amount(1e15)
    .optional()
    .describe('Its bandwidth per GPU and direction, instead of a name.'),
  stepTimeS: amount(1e9).optional().describe('Measured time of one optimizer step.'),
  tokensPerStep: count(1e13)
    .optional()
    .describe(
      'Tokens of one optimizer step on one GPU; micro-batch size × sequence length × accumulation when left out.',
    ),
});

/** What is known about a training run, before or without any trace. Everything is per GPU unless it says otherwise. */
export const estimateRequestSchema = fields.superRefine((request, context) => {
  const refuse = (field: keyof z.output<typeof fields>, message: string): void =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (request.gpu !== undefined && !findGpu(request.gpu)) refuse('gpu', whyNoGpu(request.gpu));
  if ((request.trainableParameters ?? 0) > request.parameters)
    refuse('trainableParameters', 'must not be more than parameters');
  if (request.link !== undefined && request.linkBandwidthBytesPerSec !== undefined)
    refuse('linkBandwidthBytesPerSec', 'give the link by name or its bandwidth, not both');
  if (
    request.link !== undefined &&
    request.gpu === undefined &&
    (GPU_LINKS as readonly string[]).includes(request.link)
  )
    refuse(
      'gpu',
      `the bandwidth of ${request.link} depends on the GPU: name it, or give linkBandwidthBytesPerSec`,
    );
  if (request.sharding !== 'hybrid') return;
  if (request.gpusPerNode === undefined)
    refuse('gpusPerNode', 'hybrid sharding shards inside a node: say how many GPUs a node has');
  else if (request.worldSize % request.gpusPerNode !== 0)
    refuse('worldSize', 'hybrid sharding needs whole nodes: worldSize must be a multiple of gpusPerNode');
});

export const completedRequestSchema = fields;

/** A request that was checked and completed by its defaults. */
export type EstimateRequest = z.output<typeof estimateRequestSchema>;
/** What a caller may write. */
export type EstimateRequestInput = z.input<typeof estimateRequestSchema>;
