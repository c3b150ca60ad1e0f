import { type OpCall } from './op-calls';
import { type OpCost } from './op-costs/op-cost';
import { type NoModelReason } from './roofline-schema';

/** One call of an op that ran kernels, with its cost. */
export interface CostedOp {
  call: OpCall;
  cost: OpCost;
  /** Sum over its kernels; they may overlap each other. */
  durationNs: number;
  /** Index in the rank's windows of the step that launched it; -1 outside steps. */
  step: number;
  /** True when it repeats work of the forward pass (activation checkpointing). */
  isRecompute: boolean;
}

/** A kernel that no cost explains. */
export interface UncostedKernel {
  reason: NoModelReason;
  /** Innermost op around its launch, or null. */
  opName: string | null;
}

/** Who launched which kernel of a rank. */
export interface OpAttribution {
  /** By device op: its costed op, why it has none, or null for what is no compute kernel of the rank's device. */
  byKernel: (CostedOp | UncostedKernel | null)[];
  ops: CostedOp[];
  /** Trained parameters, as gradients show them; zero when they do not. */
  parameterCount: number;
}
