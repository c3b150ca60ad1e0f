/**
 * A place for the bytes of a file that must be read out of order: written once from front to end, then read anywhere.
 * The core knows no file system, so whoever calls it gives one; `memoryScratch` serves small files.
 */
export interface Scratch {
  /** Adds bytes at the end. Throws an error with the code `INPUT_TOO_LARGE` where there is no more room. */
  append(bytes: Uint8Array): void;
  /** Fills `into` with the bytes from `offset`, which are there. */
  read(offset: number, into: Uint8Array): void;
  /** Gives the room back; may be called once. */
  close(): void;
}

/** Opens an empty place; each artifact that needs one gets its own. */
export type OpenScratch = () => Scratch;
