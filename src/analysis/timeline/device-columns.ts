import { grown } from './typed-columns';

/** Device operations in the order of the file, times not yet relative. Rows are written by index after `addRow`. */
export class DeviceColumns {
  count = 0;
  startUs = new Float64Array(0);
  startNs = new Uint16Array(0);
  durationNs = new Float64Array(0);
  nameId = new Uint32Array(0);
  kind = new Uint8Array(0);
  deviceId = new Int32Array(0);
  streamId = new Int32Array(0);
  correlationId = new Uint32Array(0);
  bytes = new Float64Array(0);
  gridBlocks = new Float64Array(0);
  blockThreads = new Float64Array(0);
  collectiveIndex = new Int32Array(0);

  /** Makes room for a row and returns its index. */
  addRow(): number {
    if (this.count === this.startUs.length) this.grow(Math.max(1024, this.count * 2));
    return this.count++;
  }

  private grow(capacity: number): void {
    this.startUs = grown(this.startUs, capacity);
    this.startNs = grown(this.startNs, capacity);
    this.durationNs = grown(this.durationNs, capacity);
    this.nameId = grown(this.nameId, capacity);
    this.kind = grown(this.kind, capacity);
    this.deviceId = grown(this.deviceId, capacity);
    this.streamId = grown(this.streamId, capacity);
    this.correlationId = grown(this.correlationId, capacity);
    this.bytes = grown(this.bytes, capacity);
    this.gridBlocks = grown(this.gridBlocks, capacity);
    this.blockThreads = grown(this.blockThreads, capacity);
    this.collectiveIndex = grown(this.collectiveIndex, capacity);
  }
}
