import { intersection, type Intervals, IntervalsBuilder, NO_INTERVALS, unionOf } from '../timeline/intervals';
import { HostEventKind, NO_ID, type RankTimeline } from '../timeline/rank-timeline';
import { type DeviceActivity, memoize } from './device-activity';

const BACKWARD_NODE = /^autograd::engine::evaluate_function: |CheckpointFunctionBackward/;
/** Nodes of the backward graph themselves, those of user-defined functions included. */
const BACKWARD_OP = /Backward\d*$|^autograd::|^torch::autograd::|AccumulateGrad/;

/**
 * Device time spent on computing activations a second time. An operator that records an autograd sequence number of its
 * own belongs to a forward pass; inside a backward node, that forward pass is a repeated one (activation checkpointing).
 * The backward of an ordinary graph runs operators without sequence numbers.
 */
export function findRecompute(timeline: RankTimeline, activity: DeviceActivity): Intervals {
  const regions = recomputeRegions(timeline);
  if (regions.size === 0) return NO_INTERVALS;
  const { device, host } = timeline;
  const kernels: [number, number][] = [];
  for (const i of activity.opIndices) {
    const launch = device.launchIndex[i];
    if (launch < 0) continue;
    const region = regions.get(host.threadIndex[launch]);
    if (region && covers(region, host.startNs[launch])) kernels.push([device.startNs[i], device.endNs[i]]);
  }
  return intersection(unionOf(kernels), activity.compute);
}

/** Host time of repeated forward operators, per thread. */
function recomputeRegions({ host, strings }: RankTimeline): Map<number, Intervals> {
  const isNode = memoize((nameId) => BACKWARD_NODE.test(strings.get(nameId)));
  const isBackwardOp = memoize((nameId) => BACKWARD_OP.test(strings.get(nameId)));
  const nodeEndNs = new Map<number, number>();
  const builders = new Map<number, IntervalsBuilder>();
  for (let i = 0; i < host.count; i++) {
    if (host.kind[i] !== HostEventKind.op) continue;
    const thread = host.threadIndex[i];
    if (isNode(host.nameId[i])) {
      nodeEndNs.set(thread, Math.max(nodeEndNs.get(thread) ?? 0, host.endNs[i]));
      continue;
    }
    if (host.sequenceNumber[i] === NO_ID || isBackwardOp(host.nameId[i])) continue;
    if (host.startNs[i] >= (nodeEndNs.get(thread) ?? 0)) continue;
    let builder = builders.get(thread);
    if (!builder) builders.set(thread, (builder = new IntervalsBuilder(256)));
    builder.add(host.startNs[i], host.endNs[i]);
  }
  return new Map([...builders].map(([thread, builder]) => [thread, builder.build()]));
}

function covers(intervals: Intervals, timeNs: number): boolean {
  let low = 0;
  let high = intervals.count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (timeNs < intervals.startNs[middle]) high = middle - 1;
    else if (timeNs >= intervals.endNs[middle]) low = middle + 1;
    else return true;
  }
  return false;
}
