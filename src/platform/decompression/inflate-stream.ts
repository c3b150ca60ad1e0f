import { type Transform } from 'node:stream';

/** A zlib stream, whose `bytesWritten` counts the input that its engine has used. */
export type ZlibStream = Transform & { readonly bytesWritten: number };

/**
 * Drives a zlib stream by hand, piece by piece, because piping loses data: an error destroys a stream together with the
 * output that nobody has read yet. Here a piece goes in only after all output of the one before it was read.
 */
export class InflateStream {
  private readonly stream: ZlibStream;
  private fedBytes = 0;
  private failure: Error | undefined;
  private wake: () => void = () => undefined;
  /** True once the compressed data has come to its own end, with or without input left. */
  ended = false;

  constructor(stream: ZlibStream) {
    this.stream = stream;
    stream.on('readable', () => this.wake());
    stream.on('end', () => ((this.ended = true), this.wake()));
    stream.on('error', (error) => ((this.failure = error), this.wake()));
  }

  private async *outputUntil(done: () => boolean): AsyncGenerator<Uint8Array> {
    for (;;) {
      const output = this.stream.read() as Uint8Array | null;
      if (output) yield output;
      else if (this.failure) throw this.failure;
      else if (this.ended || done()) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Everything that `piece` unpacks to. */
  async *feed(piece: Uint8Array): AsyncGenerator<Uint8Array> {
    let taken = false;
    this.fedBytes += piece.byteLength;
    this.stream.write(piece, () => ((taken = true), this.wake()));
    yield* this.outputUntil(() => taken);
    // Input that the engine did not want is the first sign of the end; the event follows only later.
    if (this.unusedBytes > 0) this.ended = true;
  }

  /** Tells the stream that there is no more input; throws when the compressed data is not complete. */
  async *finish(): AsyncGenerator<Uint8Array> {
    this.stream.end();
    yield* this.outputUntil(() => false);
  }

  /** Bytes of the last piece that lie behind the end of the compressed data. */
  get unusedBytes(): number {
    return this.fedBytes - this.stream.bytesWritten;
  }

  destroy(): void {
    this.stream.destroy();
  }
}
