import { type BlockTally } from './block-tally';
import { type Frame, type Stack } from './frames';
import { type TraceTally } from './trace-tally';

/** Stands on the stack for a record that was counted and is not kept. */
export const Counted = {
  block: Symbol('block'),
  event: Symbol('event'),
  segment: Symbol('segment'),
} as const;
/** A dict before its entries came, with its place in the memo. */
export class OpenDict {
  slot = -1;
}

/** A list, of which only the sum is kept: what kind of thing came and what is worth knowing of it. */
export class SummedList {
  slot = -1;
  /** The stack that a list of frames comes to. */
  stack: Stack | null = null;
  blocks: BlockTally | null = null;
  trace: TraceTally | null = null;
  /** Traces of lists in this list by their place, up to a bound: one list per device. */
  traces: (TraceTally | null)[] = [];
}

/** What a pickle's stack and memo hold. Texts that are too many are null, like everything that nobody needs. */
export type Value =
  number | boolean | string | symbol | null | OpenDict | SummedList | Frame | Stack | AllocatorSettings;

/** The dict of settings, by the names of the allocator. */
export class AllocatorSettings {
  constructor(readonly entries: ReadonlyMap<string, Value>) {}
}
