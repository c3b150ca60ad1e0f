import { InputError } from './input-error';

/** What one artifact may unpack to. */
export interface DecompressionLimits {
  /** Bytes after decompression. */
  maxBytes: number;
  /** Bytes after decompression for one compressed byte; a trace reaches about 30, a hostile file 1,000 and more. */
  maxRatio: number;
  /** The ratio counts only from so many unpacked bytes on: small files of one repeated event are no attack. */
  minBytesBeforeRatio: number;
}

/** Counts bytes in and out of one artifact and stops it at its limits. */
export class ByteMeter {
  private bytesIn = 0;
  private bytesOut = 0;

  constructor(private readonly limits: DecompressionLimits) {}

  countIn(sizeBytes: number): void {
    this.bytesIn += sizeBytes;
  }

  /** Counts unpacked bytes; throws `INPUT_TOO_LARGE` when they are too many. */
  countOut(sizeBytes: number): void {
    this.bytesOut += sizeBytes;
    const { maxBytes, maxRatio, minBytesBeforeRatio } = this.limits;
    if (this.bytesOut > maxBytes) {
      throw new InputError(
        'INPUT_TOO_LARGE',
        `The file holds more than ${maxBytes} bytes, which is the limit for one artifact. Profile fewer steps, or have the limit raised.`,
      );
    }
    if (this.bytesOut >= minBytesBeforeRatio && this.bytesOut > maxRatio * this.bytesIn) {
      throw new InputError(
        'INPUT_TOO_LARGE',
        `The file unpacks to more than ${maxRatio} times its size, which traces never do, so it was refused. If it is a real trace, have the limit raised.`,
      );
    }
  }
}
