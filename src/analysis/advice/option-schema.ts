import { z } from 'zod';
import { valuesSchema } from './values';

const ns = z.number().int().nonnegative();

/** Memory and speed options that a run may have on. */
export const OPTION_IDS = [
  'activation-checkpointing',
  'sharding',
  'lora',
  'quantisation',
  'gradient-accumulation',
  'flash-attention',
  'compile',
  'cuda-graphs',
  'mixed-precision',
  'grad-scaler',
  'tf32',
  'fused-optimizer',
  'device-max-connections',
] as const;
export type OptionId = (typeof OPTION_IDS)[number];

/** What is to say about the state of an option; the presentation has the words. */
export const OPTION_NOTES = [
  'checkpointing-on',
  'checkpointing-with-free-memory',
  'checkpointing-off',
  'checkpointing-hidden-by-compile',
  'no-backward-operators',
  'sharding-on',
  'sharding-not-needed',
  'sharding-off',
  'sharding-one-rank',
  'sharding-not-visible',
  'lora-on',
  'lora-off',
  'lora-not-visible',
  'quantisation-on',
  'quantisation-off',
  'no-kernels-and-operators',
  'accumulation-on',
  'accumulation-off',
  'accumulation-not-visible',
  'flash-attention-on',
  'flash-attention-off',
  'no-attention',
  'compile-on',
  'compile-without-effect',
  'compile-would-cut-launches',
  'compile-would-fuse',
  'compile-little-to-fuse',
  'graphs-on',
  'graphs-off',
  'graphs-would-help',
  'graphs-gain-nothing',
  'no-runtime-calls',
  'precision-16-bit',
  'precision-dear-casts',
  'precision-fp16-where-bf16-is',
  'precision-32-bit',
  'precision-without-effect',
  'dtype-not-visible',
  'scaler-with-bf16',
  'scaler-with-fp16',
  'scaler-without-16-bit',
  'scaler-off',
  'scaler-missing-for-fp16',
  'no-operators',
  'tf32-on',
  'tf32-off',
  'tf32-not-there',
  'no-32-bit-products',
  'optimizer-fused',
  'optimizer-not-fused',
  'optimizer-little-to-gain',
  'no-optimizer',
  'connections-one',
  'connections-one-with-collectives',
  'connections-several',
  'connections-not-visible',
] as const;
export type OptionNote = (typeof OPTION_NOTES)[number];

/**
 * Where a state was read: a name in the trace with how often it occurs per run, a field of uploaded metadata, or one that
 * was declared with the run.
 */
export const optionEvidenceSchema = z.object({
  source: z.enum(['trace', 'metadata', 'declared']),
  what: z.string(),
  count: z.number().int().nonnegative().nullable(),
});

export const optionSchema = z.object({
  option: z.enum(OPTION_IDS),
  /** `not-visible`: neither trace nor metadata can show it. */
  state: z.enum(['on', 'off', 'not-visible']),
  /** Which form of it: `zero3`, `bf16`, `foreach`…; null when it has none. */
  form: z.string().nullable(),
  evidence: z.array(optionEvidenceSchema),
  /** Time of the mean step that the option itself takes; null when it takes none or that cannot be measured. */
  costNs: ns.nullable(),
  /** Off only: time of the mean step that the option would act on, an upper bound of what it can save; else null. */
  actsOnNs: ns.nullable(),
  note: z.object({ id: z.enum(OPTION_NOTES), values: valuesSchema }),
});
export type OptionReport = z.infer<typeof optionSchema>;
