import { type Frame, type Stack } from './frames';

/** One event of the allocator's history. */
export interface AllocatorEvent {
  action: unknown;
  /** Null when it is no size. */
  sizeBytes: number | null;
  /** Of an out-of-memory event only. */
  deviceFreeBytes: number | null;
  timeUs: number | null;
  stack: Stack | null;
}

/** Sums over the history of one device, in the order in which it happened. */
export class TraceTally {
  eventCount = 0;
  firstUs = NaN;
  lastUs = NaN;
  allocationCount = 0;
  readonly segmentAlloc = { count: 0, sizeBytes: 0 };
  readonly segmentFree = { count: 0, sizeBytes: 0 };
  emptyCacheCount = 0;
  /** Segments given back by `empty_cache()`, by the line that called it. */
  readonly emptyCacheSites = new Map<Frame, number>();
  retryCount = 0;
  /** Some return of memory had a stack, so whose doing it was can be told. */
  hasStacks = false;
  oomCount = 0;
  lastOom: { requestedBytes: number; deviceFreeBytes: number | null } | null = null;
  /** Since the start of the history; freeing counts when the program asks for it. */
  readonly requested = new RunningSum();
  readonly reserved = new RunningSum();
  /** Memory was just given back, not by `empty_cache()`: an allocation that follows at once was tried again. */
  private flushing = false;
  /** Memory was just given back by `empty_cache()`: what follows at once belongs to the same call. */
  private emptying = false;

  /** False when the action is none of the allocator's, or its size is none. */
  add({ action, sizeBytes, deviceFreeBytes, timeUs, stack }: AllocatorEvent): boolean {
    if (sizeBytes === null) return false;
    const flushing = this.flushing;
    const emptying = this.emptying;
    this.flushing = false;
    this.emptying = false;
    switch (action) {
      case 'alloc':
        this.allocationCount++;
        this.requested.add(sizeBytes);
        break;
      case 'free_requested':
        this.requested.add(-sizeBytes);
        break;
      case 'segment_alloc':
      case 'segment_map':
        this.segmentAlloc.count++;
        this.segmentAlloc.sizeBytes += sizeBytes;
        this.reserved.add(sizeBytes);
        if (flushing) this.retryCount++;
        break;
      case 'segment_free':
      case 'segment_unmap':
        this.segmentFree.count++;
        this.segmentFree.sizeBytes += sizeBytes;
        this.reserved.add(-sizeBytes);
        this.giveBack(stack, emptying);
        break;
      case 'oom':
        this.oomCount++;
        this.lastOom = { requestedBytes: sizeBytes, deviceFreeBytes };
        if (flushing) this.retryCount++;
        break;
      case 'free_completed':
      case 'snapshot':
        break;
      default:
        return false;
    }
    this.eventCount++;
    if (timeUs !== null) {
      if (Number.isNaN(this.firstUs)) this.firstUs = timeUs;
      this.lastUs = timeUs;
    }
    return true;
  }

  private giveBack(stack: Stack | null, wasEmptying: boolean): void {
    if (!stack) return;
    this.hasStacks = true;
    this.emptying = stack.inEmptyCache;
    this.flushing = !stack.inEmptyCache;
    if (!stack.inEmptyCache) return;
    if (!wasEmptying) this.emptyCacheCount++;
    this.emptyCacheSites.set(stack.site, (this.emptyCacheSites.get(stack.site) ?? 0) + 1);
  }
}

/** A sum that goes up and down from zero, and its highest value. */
export class RunningSum {
  now = 0;
  highest = 0;

  add(amount: number): void {
    this.now += amount;
    if (this.now > this.highest) this.highest = this.now;
  }
}
