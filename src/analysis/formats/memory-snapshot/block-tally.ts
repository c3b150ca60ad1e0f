import { type Frame, type Stack } from './frames';

/** Sums over the blocks of a segment, then over the segments of a device. Sizes in bytes. */
export class BlockTally {
  allocatedBytes = 0;
  pendingFreeBytes = 0;
  requestedBytes = 0;
  /** A block in use did not say what was asked for. */
  requestUnknown = false;
  freeBytes = 0;
  freeBlockCount = 0;
  largestFreeBytes = 0;
  readonly holders = new Map<Frame | null, { sizeBytes: number; blockCount: number }>();

  get inUseBytes(): number {
    return this.allocatedBytes + this.pendingFreeBytes;
  }

  /** False when the state is none that a block can have, or the size is none. */
  add(state: unknown, sizeBytes: number | null, requestedBytes: number | null, stack: Stack | null): boolean {
    if (sizeBytes === null) return false;
    if (state === 'inactive') {
      this.freeBytes += sizeBytes;
      this.freeBlockCount++;
      this.largestFreeBytes = Math.max(this.largestFreeBytes, sizeBytes);
      return true;
    }
    if (state === 'active_allocated') this.allocatedBytes += sizeBytes;
    else if (state === 'active_pending_free' || state === 'active_awaiting_free')
      this.pendingFreeBytes += sizeBytes;
    else return false;
    if (requestedBytes === null) this.requestUnknown = true;
    else this.requestedBytes += requestedBytes;
    this.hold(stack?.site ?? null, sizeBytes, 1);
    return true;
  }

  merge(other: BlockTally): void {
    this.allocatedBytes += other.allocatedBytes;
    this.pendingFreeBytes += other.pendingFreeBytes;
    this.requestedBytes += other.requestedBytes;
    this.requestUnknown ||= other.requestUnknown;
    this.freeBytes += other.freeBytes;
    this.freeBlockCount += other.freeBlockCount;
    this.largestFreeBytes = Math.max(this.largestFreeBytes, other.largestFreeBytes);
    for (const [site, { sizeBytes, blockCount }] of other.holders) this.hold(site, sizeBytes, blockCount);
  }

  private hold(site: Frame | null, sizeBytes: number, blockCount: number): void {
    const holder = this.holders.get(site);
    if (!holder) {
      this.holders.set(site, { sizeBytes, blockCount });
      return;
    }
    holder.sizeBytes += sizeBytes;
    holder.blockCount += blockCount;
  }
}
