import { type OptionReport } from './option-schema';
import { activationCheckpointing } from './options/activation-checkpointing';
import { compile } from './options/compile';
import { cudaGraphs } from './options/cuda-graphs';
import { type OptionReader } from './options/define-option';
import { deviceMaxConnections } from './options/device-max-connections';
import { flashAttention } from './options/flash-attention';
import { fusedOptimizer } from './options/fused-optimizer';
import { gradScaler } from './options/grad-scaler';
import { gradientAccumulation } from './options/gradient-accumulation';
import { lora } from './options/lora';
import { mixedPrecision } from './options/mixed-precision';
import { quantisation } from './options/quantisation';
import { sharding } from './options/sharding';
import { tf32 } from './options/tf32';
import { type TraceEvidence } from './trace-evidence';

/** Every option, in the order in which reports show them: memory first, then speed. One line adds one. */
export const OPTION_READERS: readonly OptionReader[] = [
  activationCheckpointing,
  sharding,
  lora,
  quantisation,
  gradientAccumulation,
  flashAttention,
  compile,
  cudaGraphs,
  mixedPrecision,
  gradScaler,
  tf32,
  fusedOptimizer,
  deviceMaxConnections,
];

/**
 * Which memory and speed options the run has on, where that was read, and what each costs here. An option that neither
 * trace nor metadata can show is not visible, never off.
 */
export function readConfiguration(evidence: TraceEvidence): OptionReport[] {
  return OPTION_READERS.map((reader) => ({ option: reader.id, ...reader.read(evidence) }));
}
