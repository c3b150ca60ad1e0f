import { ProblemError } from '../../platform/errors';

/** What this process knows of the bytes of one team. */
export interface Account {
  /** As last measured. */
  storedBytes: number;
  limitBytes: number;
  /** Added by this process since it was measured. */
  addedBytes: number;
  /** On their way in by this process. */
  pendingBytes: number;
  /** On the clock of `performance.now()`. */
  measuredAtMs: number;
}

/** Bytes of a team's account that are on their way in. */
export class Room {
  /** Taken so far. */
  bytes = 0;

  constructor(private readonly account: Account) {}

  static fits({ storedBytes, addedBytes, pendingBytes, limitBytes }: Account, bytes: number): boolean {
    return storedBytes + addedBytes + pendingBytes + bytes <= limitBytes;
  }

  /** Takes bytes off what is left, at once: of two that ask, one gets the last. Throws `quota-bytes-exceeded`. */
  take(bytes: number): void {
    if (!Room.fits(this.account, bytes)) {
      const { limitBytes } = this.account;
      throw new ProblemError(
        'quota-bytes-exceeded',
        `Your team may store ${limitBytes} bytes, uploads that are awaited included, and this would be more.`,
      );
    }
    this.account.pendingBytes += bytes;
    this.bytes += bytes;
  }

  /** The pieces as they are, each taken as it comes, for bodies whose length nobody declared. */
  async *metered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.take(piece.byteLength);
      yield piece;
    }
  }
}
