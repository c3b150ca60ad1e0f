import { type RankAttribution, stepAt } from '../attribution/attribute-rank';
import { memoize } from '../attribution/device-activity';
import { findRecompute } from '../attribution/recompute';
import { firstEndingAfter, type Intervals } from '../timeline/intervals';
import { DeviceOpKind } from '../timeline/rank-timeline';
import { type CostedOp, type OpAttribution } from './attributed-work';
import { elementTypeOf, usesTf32 } from './kernel-element-type';
import { KernelLaunchers } from './kernel-launchers';
import { costOfLists, type OpCall } from './op-calls';
import { type OpCost } from './op-costs/op-cost';
import { findParameterShapes, type ParameterShapes } from './parameter-shapes';

/** What is known of an op call while its kernels are gathered. */
interface Draft {
  call: OpCall;
  row: number;
  kernels: number[];
  blocks: number;
  usesTf32: boolean;
}

/**
 * Gives each compute kernel to the innermost op around its launch, on the launching thread, that has a cost. An op counts
 * once however many kernels it ran, and not at all when an op inside it does its work: `aten::addmm` counts,
 * `aten::linear` around it does not.
 */
export function attributeOps(attribution: RankAttribution): OpAttribution {
  const { timeline, device: parts, windows } = attribution;
  const { device, host, strings } = timeline;
  const byKernel: OpAttribution['byKernel'] = new Array<null>(device.count).fill(null);
  if (!parts) return { byKernel, ops: [], parameterCount: 0 };

  const launchers = new KernelLaunchers(timeline);
  const isTf32 = memoize((nameId) => usesTf32(strings.get(nameId)));
  const drafts = new Map<number, Draft>();
  for (const i of parts.activity.opIndices) {
    if (device.kind[i] !== DeviceOpKind.kernel || parts.activity.isCollective[i] === 1) continue;
    const launcher = launchers.of(i);
    if ('reason' in launcher) {
      byKernel[i] = launcher;
      continue;
    }
    let draft = drafts.get(launcher.row);
    if (!draft) drafts.set(launcher.row, (draft = { ...launcher, kernels: [], blocks: 0, usesTf32: false }));
    draft.kernels.push(i);
    draft.blocks += device.gridBlocks[i];
    draft.usesTf32 ||= isTf32(device.nameId[i]);
  }

  const parameters = findParameterShapes(attribution);
  const wrappers = findWrappers([...drafts.values()], launchers);
  const recompute = findRecompute(timeline, parts.activity);
  const ops: CostedOp[] = [];
  for (const draft of drafts.values()) {
    const { call, kernels } = draft;
    const [first] = kernels;
    const cost = wrappers.has(draft) ? null : costOf(draft, parameters, strings.get(device.nameId[first]));
    if (!cost) {
      const reason = wrappers.has(draft) ? 'part-of-another-op' : 'inputs-not-modelled';
      for (const i of kernels) byKernel[i] = { reason, opName: call.name };
      continue;
    }
    const op: CostedOp = {
      call,
      cost,
      durationNs: kernels.reduce((sum, i) => sum + device.endNs[i] - device.startNs[i], 0),
      step: stepAt(windows.windows, host.startNs[device.launchIndex[first]]),
      isRecompute: contains(recompute, device.startNs[first]),
    };
    ops.push(op);
    for (const i of kernels) byKernel[i] = op;
  }
  return { byKernel, ops, parameterCount: parameters.count };
}

/** Calls whose work a call inside them does: one of the same family, or both on matrices (a convolution by a product). */
function findWrappers(drafts: readonly Draft[], launchers: KernelLaunchers): Set<Draft> {
  const below = new Map<number, Set<string>>();
  for (const { row, call } of drafts) {
    const kind = kindOf(call);
    // Stops where the kind is known already, so the walks together visit each op once per kind.
    for (let above = launchers.around(row); above >= 0; above = launchers.around(above)) {
      const kinds = below.get(above) ?? new Set();
      if (kinds.has(kind)) break;
      below.set(above, kinds.add(kind));
    }
  }
  return new Set(drafts.filter(({ row, call }) => below.get(row)?.has(kindOf(call))));
}

function kindOf({ family, cost }: OpCall): string {
  return cost?.flopKind === 'matrix' ? 'matrix' : family.id;
}

/** The cost of a call, completed by what its kernels show: TF32, and the type and sizes of lists. */
function costOf(
  { call, blocks, usesTf32: tf32 }: Draft,
  parameters: ParameterShapes,
  kernelName: string,
): OpCost | null {
  const { cost, inputs } = call;
  if (cost)
    return tf32 && cost.flopKind === 'matrix' && cost.dtype === 'fp32' ? { ...cost, dtype: 'tf32' } : cost;
  const type = elementTypeOf(kernelName);
  return type && costOfLists(call, type, inputs.hasCutLists ? parameters.matching(blocks) : null);
}

function contains(intervals: Intervals, timeNs: number): boolean {
  const at = firstEndingAfter(intervals, timeNs);
  return at < intervals.count && intervals.startNs[at] <= timeNs;
}
