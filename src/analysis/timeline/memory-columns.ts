import { grown } from './typed-columns';

/** Allocator events in the order of the file, times not yet relative. */
export class MemoryColumns {
  count = 0;
  startUs = new Float64Array(0);
  startNs = new Uint16Array(0);
  bytes = new Float64Array(0);
  totalAllocatedBytes = new Float64Array(0);
  totalReservedBytes = new Float64Array(0);
  deviceType = new Uint8Array(0);

  /** Makes room for a row and returns its index. */
  addRow(): number {
    if (this.count === this.startUs.length) this.grow(Math.max(256, this.count * 2));
    return this.count++;
  }

  private grow(capacity: number): void {
    this.startUs = grown(this.startUs, capacity);
    this.startNs = grown(this.startNs, capacity);
    this.bytes = grown(this.bytes, capacity);
    this.totalAllocatedBytes = grown(this.totalAllocatedBytes, capacity);
    this.totalReservedBytes = grown(this.totalReservedBytes, capacity);
    this.deviceType = grown(this.deviceType, capacity);
  }
}
