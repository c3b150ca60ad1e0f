/** Reads an artifact's bytes in small pieces, with a look ahead and a way to put bytes back. */
export class ByteSource {
  private rest: Uint8Array = new Uint8Array(0);
  private readonly chunks: AsyncIterator<Uint8Array>;
  private ended = false;

  /** `onRead` gets the size of every chunk that the source gave. */
  constructor(source: AsyncIterable<Uint8Array>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  private async pull(): Promise<boolean> {
    while (!this.ended) {
      const next = await this.chunks.next();
      if (next.done) this.ended = true;
      else if (next.value.byteLength > 0) {
        this.rest = this.rest.byteLength === 0 ? next.value : Buffer.concat([this.rest, next.value]);
        return true;
      }
    }
    return false;
  }

  /** Up to `count` bytes from here without taking them; fewer only at the end. `count` is small. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.rest.byteLength < count && (await this.pull()));
    return this.rest.subarray(0, count);
  }

  /** Between 1 and `maxBytes` bytes, or `undefined` at the end. */
  async take(maxBytes: number): Promise<Uint8Array | undefined> {
    if (this.rest.byteLength === 0 && !(await this.pull())) return undefined;
    const piece = this.rest.subarray(0, maxBytes);
    this.rest = this.rest.subarray(piece.byteLength);
    return piece;
  }

  /** Exactly `count` bytes, or `undefined` when fewer are left. `count` is small. */
  async takeExactly(count: number): Promise<Uint8Array | undefined> {
    const piece = await this.peek(count);
    if (piece.byteLength < count) return undefined;
    this.rest = this.rest.subarray(count);
    return piece;
  }

  /** Gives the last `count` bytes of the piece taken last back. */
  putBack(piece: Uint8Array, count: number): void {
    if (count === 0) return;
    const tail = piece.subarray(piece.byteLength - count);
    this.rest = this.rest.byteLength === 0 ? tail : Buffer.concat([tail, this.rest]);
  }

  /** Tells the source that nothing more is wanted. */
  async close(): Promise<void> {
    if (!this.ended) await this.chunks.return?.();
    this.ended = true;
  }
}
