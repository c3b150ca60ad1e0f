/**
 * The bytes between what has been read and what has arrived. Scanners work on `bytes` from `start` to `end` and move
 * `start`; what they leave is kept and continued by the next chunk.
 */
export class ByteWindow {
  bytes = new Uint8Array(1 << 17);
  start = 0;
  end = 0;
  /** Bytes that have ever been appended. */
  totalBytes = 0;

  get length(): number {
    return this.end - this.start;
  }

  /** Adds a chunk after the bytes that are left. Invalidates positions. */
  append(chunk: Uint8Array): void {
    const left = this.length;
    if (this.end + chunk.length > this.bytes.length) {
      const needed = left + chunk.length;
      const target =
        needed > this.bytes.length ? new Uint8Array(Math.max(needed, this.bytes.length * 2)) : this.bytes;
      target.set(this.bytes.subarray(this.start, this.end));
      this.bytes = target;
      this.start = 0;
      this.end = left;
    }
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
    this.totalBytes += chunk.length;
  }
}
