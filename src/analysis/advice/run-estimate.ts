import { type RunFacts } from '../attribution/run-facts';
import { estimate, type Estimate, estimateRequestSchema, type EstimateRequestInput } from '../estimates';
import { parseDtype } from '../gpu-specs/dtype';
import { matchGpu } from '../gpu-specs/match-gpu';
import { type OptionId, type OptionReport } from './option-schema';
import { metadataField, metadataNumber } from './run-metadata-fields';
import { largest } from '../units/largest';

export type RunEstimate = { estimate: Estimate; reason: null } | { estimate: null; reason: string };

const OPTIMIZERS: readonly (readonly [RegExp, EstimateRequestInput['optimizer']])[] = [
  [/8-?bit/i, 'adamw-8bit'],
  [/adafactor/i, 'adafactor'],
  [/adam/i, 'adamw'],
  [/sgd.*momentum/i, 'sgd-momentum'],
  [/sgd/i, 'sgd'],
];

/**
 * Floors for the model, the GPU and the layout that this run has, as far as its metadata and trace say; null without a
 * parameter count. Memory of states, communication and MFU need no more; activations need the shape of the model.
 */
export function estimateRun(facts: RunFacts, options: readonly OptionReport[]): RunEstimate {
  const parameters = metadataNumber(facts, 'params', 'parameters', 'num_parameters');
  if (parameters === null || parameters < 1)
    return { estimate: null, reason: 'needs the number of parameters in the metadata (params)' };
  const option = (id: OptionId): OptionReport | undefined => options.find((o) => o.option === id);
  const request = estimateRequestSchema.safeParse({
    parameters: Math.round(parameters),
    ...formats(facts, option('mixed-precision')),
    ...layout(facts, option),
    ...shape(facts, option('gradient-accumulation')),
    ...device(facts),
    stepTimeS: facts.step ? facts.step.wallNs / 1e9 : undefined,
  });
  if (request.success) return { estimate: estimate(request.data), reason: null };
  const [issue] = request.error.issues;
  return { estimate: null, reason: `the metadata cannot be used: ${issue.path.join('.')}: ${issue.message}` };
}

/** Autocast keeps parameters in fp32; collectives show in which format gradients travel. */
function formats(facts: RunFacts, precision: OptionReport | undefined): Partial<EstimateRequestInput> {
  const traced = precision?.form?.split(' ')[0];
  const written = metadataField(facts, 'dtype');
  const dtype = parseDtype(traced ?? (typeof written?.value === 'string' ? written.value : ''))?.id ?? 'fp32';
  const autocast = precision?.form?.endsWith('autocast') ?? false;
  const collective = facts.deviceRanks
    .flatMap((r) => r.timeline.collectives)
    .find(({ name }) => /all_?reduce|reduce_?scatter/i.test(name ?? ''));
  const gradient = parseDtype(collective?.dtype ?? '')?.id;
  return {
    dtype: dtype as EstimateRequestInput['dtype'],
    ...(autocast ? { parameterDtype: 'fp32' as const } : {}),
    ...(gradient ? { gradientDtype: gradient as EstimateRequestInput['gradientDtype'] } : {}),
  };
}

function layout(
  facts: RunFacts,
  option: (id: OptionId) => OptionReport | undefined,
): Partial<EstimateRequestInput> {
  const worldSize = facts.worldSize ?? 1;
  const sharding = option('sharding');
  // A run of several processes without any collective trains several models, each on its own.
  const communicates = facts.deviceRanks.some((r) => (r.device?.activity.communication.count ?? 0) > 0);
  const optimizer = metadataField(facts, 'optimizer', 'optim');
  const name = typeof optimizer?.value === 'string' ? optimizer.value : '';
  const devices = largest(facts.deviceRanks.map((r) => r.timeline.metadata.devices.length)) ?? 0;
  const trainable = metadataNumber(facts, 'trainable_params', 'trainable_parameters');
  return {
    worldSize: communicates ? worldSize : 1,
    // Every process of a node sees all its devices, unless it was given only its own.
    ...(devices > 1 && communicates ? { gpusPerNode: devices } : {}),
    ...(sharding?.state === 'on' && sharding.form
      ? { sharding: sharding.form as EstimateRequestInput['sharding'] }
      : {}),
    ...(trainable !== null && trainable >= 1 ? { trainableParameters: Math.round(trainable) } : {}),
    optimizer: OPTIMIZERS.find(([pattern]) => pattern.test(name))?.[1] ?? 'adamw',
    checkpointing: checkpointingOf(option('activation-checkpointing')),
    flashAttention: option('flash-attention')?.state !== 'off',
  };
}

/** Full unless the job says that it recomputes only a part. */
function checkpointingOf(option: OptionReport | undefined): EstimateRequestInput['checkpointing'] {
  if (option?.state !== 'on') return 'none';
  return /select|partial/i.test(option.form ?? '') ? 'selective' : 'full';
}

function shape(facts: RunFacts, accumulation: OptionReport | undefined): Partial<EstimateRequestInput> {
  const whole = (...keys: string[]): number | undefined => {
    const value = metadataNumber(facts, ...keys);
    return value !== null && value >= 1 ? Math.round(value) : undefined;
  };
  return {
    microBatchSize: whole('micro_batch_size', 'batch_size'),
    sequenceLength: whole('seq_len', 'sequence_length'),
    tokensPerStep: whole('tokens_per_step'),
    layers: whole('layers', 'n_layers', 'num_layers', 'num_hidden_layers', 'n_layer'),
    hiddenSize: whole('hidden_size', 'd_model', 'n_embd', 'dim'),
    heads: whole('heads', 'n_heads', 'num_heads', 'num_attention_heads', 'n_head'),
    vocabulary: whole('vocab', 'vocab_size'),
    gradientAccumulation: accumulation?.state === 'on' ? Number(accumulation.form) || 1 : 1,
  };
}

function device({ deviceRanks }: RunFacts): Partial<EstimateRequestInput> {
  const [used] = deviceRanks.flatMap(({ timeline, device: attributed }) => {
    const { devices } = timeline.metadata;
    return devices.find((d) => d.id === attributed?.activity.deviceId) ?? devices.at(0) ?? [];
  });
  const spec = used ? matchGpu(used)?.spec : undefined;
  return {
    ...(spec ? { gpu: spec.id } : {}),
    ...(used?.totalMemoryBytes ? { gpuMemoryBytes: used.totalMemoryBytes } : {}),
  };
}
