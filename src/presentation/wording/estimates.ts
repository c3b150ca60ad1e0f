import { type EstimateFigure, type Layout } from '../../analysis';

/** What each figure of an estimate is, for a person. A test checks that none is missing. */
export const ESTIMATE_FIGURE_LABELS: Readonly<Record<string, string>> = {
  'gradient-size': 'gradients',
  'communication-volume': 'sent by each rank, per step',
  'link-bandwidth': 'link',
  'link-bandwidth-inside-node': 'link inside the node',
  'link-bandwidth-between-nodes': 'link between nodes',
  'communication-time': 'least communication time',
  'communication-share': 'share of the step, if exposed',
  'memory-parameters': 'parameters',
  'memory-master-weights': 'fp32 master weights',
  'memory-gradients': 'gradients',
  'memory-optimizer': 'optimizer states',
  'memory-model-states': 'states together',
  'memory-activations': 'activations of a micro-batch',
  'memory-output-layer': 'output layer and logits',
  'memory-total': 'total',
  'memory-capacity': 'memory of the GPU',
  'memory-share': 'share of the memory',
  'largest-micro-batch': 'largest micro-batch that fits',
  'tokens-per-step': 'tokens per step and GPU',
  'model-flop': 'model flop per step',
  'hardware-flop': 'flop with recomputation',
  peak: 'dense peak',
  'least-step-time': 'least step time',
  mfu: 'MFU',
  hfu: 'HFU',
};

export const ESTIMATE_GROUP_TITLES: Readonly<Record<EstimateFigure['group'], string>> = {
  communication: 'Communication',
  memory: 'Memory of one GPU',
  compute: 'Compute',
};

const SHARDING_NAMES: Readonly<Record<Layout['sharding'], string>> = {
  none: 'no sharding',
  zero1: 'ZeRO-1',
  zero2: 'ZeRO-2 / SHARD_GRAD_OP',
  zero3: 'ZeRO-3 / FULL_SHARD',
  hybrid: 'HYBRID_SHARD',
};

const CHECKPOINTING_NAMES: Readonly<Record<Layout['checkpointing'], string>> = {
  none: 'no checkpointing',
  selective: 'selective checkpointing',
  full: 'full checkpointing',
};

/** How a layout is called. */
export function layoutLabel({ sharding, checkpointing }: Layout): string {
  return `${SHARDING_NAMES[sharding]}, ${CHECKPOINTING_NAMES[checkpointing]}`;
}

/** Whether a layout fits, in words. */
export function layoutVerdict({ fits }: Layout): string {
  if (fits === null) return 'states fit; activations not known';
  return fits ? 'fits' : 'does not fit';
}
