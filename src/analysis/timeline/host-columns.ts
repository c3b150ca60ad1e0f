import { grown } from './typed-columns';

/** Host events in the order of the file, times not yet relative. Rows are written by index after `addRow`. */
export class HostColumns {
  count = 0;
  startUs = new Float64Array(0);
  startNs = new Uint16Array(0);
  durationNs = new Float64Array(0);
  nameId = new Uint32Array(0);
  kind = new Uint8Array(0);
  threadIndex = new Uint16Array(0);
  correlationId = new Uint32Array(0);
  sequenceNumber = new Uint32Array(0);
  inputDimsId = new Uint32Array(0);
  inputTypesId = new Uint32Array(0);
  inputValuesId = new Uint32Array(0);
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
    this.threadIndex = grown(this.threadIndex, capacity);
    this.correlationId = grown(this.correlationId, capacity);
    this.sequenceNumber = grown(this.sequenceNumber, capacity);
    this.inputDimsId = grown(this.inputDimsId, capacity);
    this.inputTypesId = grown(this.inputTypesId, capacity);
    this.inputValuesId = grown(this.inputValuesId, capacity);
    this.collectiveIndex = grown(this.collectiveIndex, capacity);
  }
}
