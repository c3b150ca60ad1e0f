import { difference, type Intervals, IntervalsBuilder, union, unionOf } from '../timeline/intervals';
import { HostEventKind, type RankTimeline } from '../timeline/rank-timeline';
import { type DeviceActivity, memoize } from './device-activity';

/**
 * What the host loop did when: the threads that launch device work, seen as one. Classes may overlap; idle attribution
 * takes them in its order of priority.
 */
export interface HostActivity {
  /** Inside the data loader, or in a blocking copy of pageable memory to the device. */
  input: Intervals;
  /** Inside a call that waits for the device. */
  sync: Intervals;
  /** Inside a call of the device allocator. */
  allocator: Intervals;
  /** In framework operators and runtime calls, with the short stretches of Python between them. */
  framework: Intervals;
  /** Calls that wait for the device, and calls of the allocator, by start. */
  syncCalls: BlockingCall[];
  allocatorCalls: BlockingCall[];
}

/** A call that keeps the host for its whole length. */
export interface BlockingCall {
  startNs: number;
  endNs: number;
}

/** Range names of loaders: PyTorch's own, and those of Lightning and Accelerate that wrap it. */
const LOADER =
  /DataLoader.*__(next|iter)__|dataloader.*_next\b|^\[pl\].*(fetch|dataloader)|StatefulDataLoader/i;
/** What people call their own range around the loader: `data loading`, `dataloader`, `get_batch`, `fetch data`. */
const LOADER_RANGE =
  /^((data|input|batch)[ _-]?(load(er|ing)?|fetch(ing)?|wait(ing)?)|(load|fetch|get|next)[ _-]?(data|batch|inputs?))$/i;
/** Calls that return only when the device has caught up. */
const SYNC_CALL =
  /^(cuda|hip)(Stream|Device|Event)Synchronize|^cu(Stream|Ctx|Event)Synchronize|^(cuda|hip)Memcpy$|^cuMemcpy(HtoD|DtoH|DtoD)_v2$|^(cuda|hip)ThreadSynchronize/;
/** Calls that take memory from or give it back to the driver. */
const ALLOCATOR_CALL =
  /^(cuda|hip)(Malloc|Free|HostAlloc|HostRegister|HostUnregister|MallocHost|FreeHost|HostFree|HostMalloc|MallocAsync|FreeAsync|ExtMallocWithFlags|MallocManaged)\w*$|^cuMem(Create|Map|Unmap|Release|SetAccess|Alloc|Free|AddressReserve|AddressFree|HostAlloc)/;
/** Annotations that the framework puts around its own host work. */
const FRAMEWORK_ANNOTATION =
  /^Optimizer\.(step|zero_grad)#|^FullyShardedDataParallel\.(_|rate_limiter)|^## Call CompiledFxGraph/;

/**
 * Python between two framework operators up to this long is the interpreter's share of launching them; longer
 * stretches are work of their own. Eager PyTorch needs 5–100 µs between operators, a traced one about twice that.
 */
const MAX_LAUNCH_PYTHON_NS = 300_000;

/** Bookkeeping on either side of an allocator call longer than this is something else. */
const MAX_BOOKKEEPING_NS = 50_000;
/** Events of other threads that may lie between two neighbours of one; bounds the search. */
const MAX_NEIGHBOUR_DISTANCE = 256;

/** Classifies what the host loop did over the whole trace. */
export function computeHostActivity(timeline: RankTimeline, activity: DeviceActivity): HostActivity {
  const { host, strings } = timeline;
  const inLoop = hostLoopThreads(timeline, activity);
  const isLoader = memoize((nameId) => [LOADER, LOADER_RANGE].some((name) => name.test(strings.get(nameId))));
  const isSync = memoize((nameId) => SYNC_CALL.test(strings.get(nameId)));
  const isAllocator = memoize((nameId) => ALLOCATOR_CALL.test(strings.get(nameId)));
  const isFramework = memoize((nameId) => FRAMEWORK_ANNOTATION.test(strings.get(nameId)));

  const loader = new IntervalsBuilder(64);
  const sync = new IntervalsBuilder(64);
  const operators = new IntervalsBuilder(1024);
  const syncCalls: BlockingCall[] = [];
  const allocatorCalls: BlockingCall[] = [];
  for (let i = 0; i < host.count; i++) {
    if (inLoop[host.threadIndex[i]] === 0) continue;
    const startNs = host.startNs[i];
    const endNs = host.endNs[i];
    const nameId = host.nameId[i];
    switch (host.kind[i]) {
      case HostEventKind.runtime:
        if (isSync(nameId)) {
          sync.add(startNs, endNs);
          syncCalls.push({ startNs, endNs });
        } else if (isAllocator(nameId)) {
          allocatorCalls.push(withBookkeeping(host, i));
        }
        operators.add(startNs, endNs);
        break;
      case HostEventKind.op:
      case HostEventKind.annotation:
        if (isLoader(nameId)) loader.add(startNs, endNs);
        else if (host.kind[i] === HostEventKind.op || isFramework(nameId)) operators.add(startNs, endNs);
        break;
      case HostEventKind.python:
        if (isLoader(nameId)) loader.add(startNs, endNs);
        break;
      default:
    }
  }
  const input = union(loader.build(), pageableCopyCalls(timeline, activity));
  return {
    input,
    sync: sync.build(),
    allocator: unionOf(allocatorCalls.map(({ startNs, endNs }) => [startNs, endNs])),
    framework: bridgeShortGaps(difference(operators.build(), input), MAX_LAUNCH_PYTHON_NS),
    syncCalls,
    allocatorCalls,
  };
}

/**
 * A driver call of the allocator with the allocator's own work around it: the search for a free block before, the
 * bookkeeping after, up to the neighbouring events of the thread.
 */
function withBookkeeping(host: RankTimeline['host'], call: number): BlockingCall {
  const thread = host.threadIndex[call];
  const startNs = host.startNs[call];
  const endNs = host.endNs[call];
  let before = call - 1;
  while (before >= 0 && call - before < MAX_NEIGHBOUR_DISTANCE && host.threadIndex[before] !== thread)
    before--;
  let after = call + 1;
  const isNext = (i: number): boolean => host.threadIndex[i] === thread && host.startNs[i] >= endNs;
  while (after < host.count && after - call < MAX_NEIGHBOUR_DISTANCE && !isNext(after)) after++;
  const known = before >= 0 && host.threadIndex[before] === thread;
  const previousNs = !known
    ? startNs
    : Math.min(startNs, host.endNs[before] <= startNs ? host.endNs[before] : host.startNs[before]);
  const nextNs = after < host.count && isNext(after) ? host.startNs[after] : endNs;
  return {
    startNs: Math.max(previousNs, startNs - MAX_BOOKKEEPING_NS),
    endNs: Math.min(Math.max(nextNs, endNs), endNs + MAX_BOOKKEEPING_NS),
  };
}

/** 1 for each thread that launched device work; the loader's and the pinning threads did not. */
function hostLoopThreads({ device, host, threads }: RankTimeline, activity: DeviceActivity): Uint8Array {
  const inLoop = new Uint8Array(Math.max(1, threads.length));
  for (const i of activity.opIndices) {
    const launch = device.launchIndex[i];
    if (launch >= 0) inLoop[host.threadIndex[launch]] = 1;
  }
  return inLoop;
}

/** Calls that copy pageable memory to the device: the host stages the bytes itself and is blocked meanwhile. */
function pageableCopyCalls({ device, host, strings }: RankTimeline, activity: DeviceActivity): Intervals {
  const isPageable = memoize(
    (nameId) => /HtoD/.test(strings.get(nameId)) && /Pageable/.test(strings.get(nameId)),
  );
  const calls: [number, number][] = [];
  for (const i of activity.opIndices) {
    const launch = device.launchIndex[i];
    if (launch >= 0 && isPageable(device.nameId[i])) calls.push([host.startNs[launch], host.endNs[launch]]);
  }
  return unionOf(calls);
}

/** Joins neighbours that are no farther apart than `maxGapNs`. */
function bridgeShortGaps(a: Intervals, maxGapNs: number): Intervals {
  const result = new IntervalsBuilder(a.count);
  for (let i = 0; i < a.count; i++) {
    const joins = i > 0 && a.startNs[i] - a.endNs[i - 1] <= maxGapNs;
    result.add(joins ? a.endNs[i - 1] : a.startNs[i], a.endNs[i]);
  }
  return result.build();
}
