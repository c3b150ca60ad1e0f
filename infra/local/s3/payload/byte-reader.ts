import { S3Error } from '../http/s3-error';

/** Pulls lines and counted bytes out of a stream of buffers, holding one buffer at a time. */
export class ByteReader {
  private rest: Buffer = Buffer.alloc(0);
  private readonly chunks: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  private async pull(): Promise<boolean> {
    const next = await this.chunks.next();
    if (next.done) return false;
    this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
    return true;
  }

  /** The next line without its line end (CRLF or LF), refused when it is longer than `maxBytes`. */
  async line(maxBytes: number): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf(0x0a);
      if (end > maxBytes || (end === -1 && this.rest.length > maxBytes)) {
        throw new S3Error('InvalidRequest', 'A line of the aws-chunked body is too long.');
      }
      if (end !== -1) {
        const line = this.rest.toString('latin1', 0, end);
        this.rest = this.rest.subarray(end + 1);
        return line.endsWith('\r') ? line.slice(0, -1) : line;
      }
      if (!(await this.pull())) throw new S3Error('IncompleteBody');
    }
  }

  /** Exactly `sizeBytes` bytes, in pieces as they arrive. */
  async *take(sizeBytes: number): AsyncGenerator<Buffer> {
    let left = sizeBytes;
    while (left > 0) {
      if (this.rest.length === 0 && !(await this.pull())) throw new S3Error('IncompleteBody');
      const piece = this.rest.subarray(0, left);
      this.rest = this.rest.subarray(piece.length);
      left -= piece.length;
      if (piece.length > 0) yield piece;
    }
  }

  /** True when the source has ended and everything was taken. */
  async atEnd(): Promise<boolean> {
    while (this.rest.length === 0) {
      if (!(await this.pull())) return true;
    }
    return false;
  }
}
