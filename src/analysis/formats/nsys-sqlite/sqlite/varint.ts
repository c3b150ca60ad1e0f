/** SQLite's variable-length integer at `at`: its value (exact up to 2^53, as all sizes and row ids in use are) and its end. */
export class Varint {
  value = 0;
  end = 0;

  /** Reads the integer at `at`; bytes beyond the end of `bytes` read as zero. */
  read(bytes: Uint8Array, at: number): number {
    let value = 0;
    for (let i = 0; i < 8; i++) {
      const byte = bytes[at + i] ?? 0;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) {
        this.end = at + i + 1;
        return (this.value = value);
      }
    }
    this.end = at + 9;
    return (this.value = value * 256 + (bytes[at + 8] ?? 0));
  }
}
