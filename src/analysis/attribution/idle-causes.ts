import {
  difference,
  intersection,
  type Intervals,
  IntervalsBuilder,
  NO_INTERVALS,
  overlapMeter,
  union,
} from '../timeline/intervals';
import { DeviceOpKind, type RankTimeline } from '../timeline/rank-timeline';
import { type DeviceActivity, memoize } from './device-activity';
import { type BlockingCall, type HostActivity } from './host-activity';

/** Idle time of the device by its cause, disjoint, and together all of the idle time. See docs/glossary.md. */
export interface IdleByCause {
  inputWait: Intervals;
  syncWait: Intervals;
  allocator: Intervals;
  launchGap: Intervals;
  hostOther: Intervals;
  dependency: Intervals;
  unexplained: Intervals;
}

/**
 * From the return of a launch to the start of its kernel on an empty device: about 2–6 µs on NVIDIA and AMD devices, more
 * under a profiler. Waiting beyond it has another reason than the launch.
 */
const LAUNCH_LATENCY_NS = 10_000;

/**
 * Splits the idle time within [fromNs, toNs) by its cause.
 *
 * Each gap of the device ends with an operation. Up to the moment its launch began, the host was late, and what the
 * host did meanwhile is the cause. From then on, the launch itself is, and past its usual latency the operation waited
 * for something else on the device (`dependency`).
 */
export function attributeIdle(
  timeline: RankTimeline,
  activity: DeviceActivity,
  host: HostActivity,
  fromNs: number,
  toNs: number,
): IdleByCause {
  const idle = difference(single(fromNs, toNs), activity.busy);
  const parts = splitByLaunch(timeline, activity, idle);

  let rest = parts.hostLate;
  const take = (cause: Intervals): Intervals => {
    const taken = intersection(rest, cause);
    rest = difference(rest, cause);
    return taken;
  };
  const inputWait = take(host.input);
  const waitingForDevice = take(host.sync);
  const allocator = take(host.allocator);
  const behindSync = take(delayedBy(host.syncCalls, rest, waitingForDevice, host.syncCalls));
  const behindAllocator = take(delayedBy(host.allocatorCalls, rest, allocator, host.syncCalls));
  const launchGap = take(host.framework);
  return {
    inputWait: union(inputWait, parts.pageableCopy),
    syncWait: union(waitingForDevice, behindSync),
    allocator: union(allocator, behindAllocator),
    launchGap: union(launchGap, parts.launching),
    hostOther: difference(rest, parts.launchUnknown),
    dependency: parts.dependency,
    unexplained: intersection(rest, parts.launchUnknown),
  };
}

interface GapParts {
  /** Before the launch of the operation that ends the gap, or there is no such operation. */
  hostLate: Intervals;
  /** In the launch call and its usual latency. */
  launching: Intervals;
  /** In the launch call of a copy from pageable memory. */
  pageableCopy: Intervals;
  dependency: Intervals;
  /** Part of `hostLate`: the operation's launch is not in the file. */
  launchUnknown: Intervals;
}

function splitByLaunch(
  { device, host, strings }: RankTimeline,
  activity: DeviceActivity,
  idle: Intervals,
): GapParts {
  const hostLate = new IntervalsBuilder(idle.count);
  const launching = new IntervalsBuilder(idle.count);
  const pageableCopy = new IntervalsBuilder();
  const dependency = new IntervalsBuilder();
  const launchUnknown = new IntervalsBuilder();
  const isPageable = memoize((nameId) => /Pageable/.test(strings.get(nameId)));
  const { opIndices } = activity;
  let next = 0;
  for (let g = 0; g < idle.count; g++) {
    const startNs = idle.startNs[g];
    const endNs = idle.endNs[g];
    while (next < opIndices.length && device.startNs[opIndices[next]] < endNs) next++;
    // An operation of no length may lie inside a gap without ending it; the first one at or after the end does.
    const op = next < opIndices.length ? opIndices[next] : -1;
    const launch = op >= 0 ? device.launchIndex[op] : -1;
    if (launch < 0) {
      hostLate.add(startNs, endNs);
      if (op >= 0) launchUnknown.add(startNs, endNs);
      continue;
    }
    const within = (timeNs: number): number => Math.min(endNs, Math.max(startNs, timeNs));
    const launchedNs = within(host.startNs[launch]);
    const startableNs = within(Math.max(launchedNs, host.endNs[launch] + LAUNCH_LATENCY_NS));
    hostLate.add(startNs, launchedNs);
    const copiesPageable = device.kind[op] === DeviceOpKind.memcpy && isPageable(device.nameId[op]);
    (copiesPageable ? pageableCopy : launching).add(launchedNs, startableNs);
    dependency.add(startableNs, endNs);
  }
  return {
    hostLate: hostLate.build(),
    launching: launching.build(),
    pageableCopy: pageableCopy.build(),
    dependency: dependency.build(),
    launchUnknown: launchUnknown.build(),
  };
}

/**
 * Idle time after blocking calls that the host would not have needed without them: calls that kept the host for n ns
 * put it n ns behind, so at most n ns of the lateness that follows are their doing. A call that waits for the device
 * settles all earlier debt: had the host come earlier, it would have waited longer.
 *
 * @param late idle time in which the host was late
 * @param charged idle time inside the calls, charged to them already
 */
function delayedBy(
  calls: readonly BlockingCall[],
  late: Intervals,
  charged: Intervals,
  syncCalls: readonly BlockingCall[],
): Intervals {
  if (calls.length === 0) return NO_INTERVALS;
  const result = new IntervalsBuilder(calls.length);
  const chargedWithin = overlapMeter(charged);
  let debtNs = 0;
  let gap = 0;
  let sync = 0;
  for (let c = 0; c < calls.length; c++) {
    const { startNs, endNs } = calls[c];
    for (; sync < syncCalls.length && syncCalls[sync].startNs <= startNs; sync++) debtNs = 0;
    debtNs += endNs - startNs - chargedWithin(startNs, endNs);
    const untilNs = c + 1 < calls.length ? calls[c + 1].startNs : Infinity;
    while (gap < late.count && late.endNs[gap] <= endNs) gap++;
    for (let g = gap; g < late.count && late.startNs[g] < untilNs && debtNs > 0; g++) {
      const settles = sync < syncCalls.length && syncCalls[sync].startNs <= late.startNs[g];
      if (settles) break;
      const fromNs = Math.max(late.startNs[g], endNs);
      const chargedNs = Math.max(0, Math.min(debtNs, Math.min(late.endNs[g], untilNs) - fromNs));
      result.add(fromNs, fromNs + chargedNs);
      debtNs -= chargedNs;
    }
  }
  return result.build();
}

function single(fromNs: number, toNs: number): Intervals {
  const builder = new IntervalsBuilder(1);
  builder.add(fromNs, toNs);
  return builder.build();
}
