import { memoize } from '../attribution/device-activity';
import { type RunFacts } from '../attribution/run-facts';
import { attributeOps } from './attribute-ops';
import { type CostedOp } from './attributed-work';
import { convolution } from './op-costs/convolution';
import { canonicalKernelName } from './kernel-name';

/** Calls of one operator with one shape that ran one kernel each, with this name and grid. */
export interface KernelOp {
  op: string;
  inputDims: string;
  flop: number;
  leastBytes: number;
  isMatrix: boolean;
  /** Whether its shapes tell its flop for certain: they do for products, and not under a mask that is not visible. */
  isCertain: boolean;
  /** Blocks of the grid; 0 when the trace has none. */
  gridBlocks: number;
  calls: number;
  totalNs: number;
}

/** A kernel of the traces, by its canonical name. */
export interface TraceKernel {
  count: number;
  totalNs: number;
  ops: KernelOp[];
}

/** Shapes of one kernel that are told apart. */
const MAX_OPS = 256;

/** Kernels of the counted steps by canonical name, of those that are `wanted`, and which operators ran them. */
export function traceKernels(facts: RunFacts, wanted: ReadonlySet<string>): Map<string, TraceKernel> {
  const kernels = new Map<string, TraceKernel>();
  for (const { name, count, totalNs } of facts.kernels.byName) {
    const key = canonicalKernelName(name);
    if (!wanted.has(key)) continue;
    const known = kernels.get(key) ?? { count: 0, totalNs: 0, ops: [] };
    known.count += count;
    known.totalNs += totalNs;
    kernels.set(key, known);
  }
  for (const rank of kernels.size > 0 ? facts.deviceRanks : []) {
    const { byKernel } = attributeOps(rank);
    const { device, strings } = rank.timeline;
    const kernelNamed = memoize((nameId) => kernels.get(canonicalKernelName(strings.get(nameId))));
    const kernelsOfOp = new Map<CostedOp, number>();
    for (const work of byKernel)
      if (work && 'cost' in work) kernelsOfOp.set(work, (kernelsOfOp.get(work) ?? 0) + 1);
    byKernel.forEach((work, i) => {
      // Of several kernels of one call none has its flop for itself.
      if (!work || !('cost' in work) || kernelsOfOp.get(work) !== 1) return;
      const kernel = kernelNamed(device.nameId[i]);
      if (kernel) addCall(kernel.ops, work, device.gridBlocks[i] || 0, device.endNs[i] - device.startNs[i]);
    });
  }
  return kernels;
}

function addCall(ops: KernelOp[], { call, cost }: CostedOp, gridBlocks: number, durationNs: number): void {
  let known = ops.find(
    (o) =>
      o.flop === cost.flop &&
      o.leastBytes === cost.leastBytes &&
      o.gridBlocks === gridBlocks &&
      o.op === call.name,
  );
  if (!known) {
    if (ops.length >= MAX_OPS) return;
    const { flop, leastBytes, flopKind, notes } = cost;
    known = {
      op: call.name,
      inputDims: call.inputDims,
      flop,
      leastBytes,
      isMatrix: flopKind === 'matrix',
      isCertain: call.family !== convolution && !notes.includes('flop-upper-bound'),
      gridBlocks,
      calls: 0,
      totalNs: 0,
    };
    ops.push(known);
  }
  known.calls++;
  known.totalNs += durationNs;
}
