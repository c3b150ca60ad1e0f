import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** One file of bytes; an object is one or, after a multipart upload, several in order. */
export interface Segment {
  /** File name inside the bucket's data folder; random, never derived from a key. */
  file: string;
  sizeBytes: number;
}

/** The byte files of one bucket. A file that is being read is removed only after its last reader is done. */
export class SegmentFiles {
  private readonly readers = new Map<string, number>();
  private readonly doomed = new Set<string>();

  constructor(
    private readonly dataDir: string,
    private readonly scratchDir: string,
  ) {}

  /** Creates the folders, drops unfinished files of an earlier process and files that nothing refers to. */
  async open(referenced: ReadonlySet<string>): Promise<void> {
    await rm(this.scratchDir, { recursive: true, force: true });
    await mkdir(this.scratchDir, { recursive: true });
    await mkdir(this.dataDir, { recursive: true });
    for (const file of await readdir(this.dataDir)) {
      if (!referenced.has(file)) await rm(join(this.dataDir, file), { force: true });
    }
  }

  /** A path for a temporary file on the same disk. */
  scratchPath(): string {
    return join(this.scratchDir, randomUUID());
  }

  /** Lets `fill` write a temporary file and takes it in when that succeeds; nothing is left when it fails. */
  async create<T extends { sizeBytes: number }>(
    fill: (path: string) => Promise<T>,
  ): Promise<{ segment: Segment; filled: T }> {
    const scratch = this.scratchPath();
    try {
      const filled = await fill(scratch);
      const file = randomUUID();
      await rename(scratch, join(this.dataDir, file));
      return { segment: { file, sizeBytes: filled.sizeBytes }, filled };
    } finally {
      await rm(scratch, { force: true });
    }
  }

  /** Removes files, now or when their last reader is done. */
  async remove(segments: readonly Segment[]): Promise<void> {
    for (const { file } of segments) {
      if (this.readers.has(file)) this.doomed.add(file);
      else await rm(join(this.dataDir, file), { force: true });
    }
  }

  /** Keeps the segments readable until `release` is called; call it before anything is awaited. */
  retain(segments: readonly Segment[]): { release(): Promise<void> } {
    for (const { file } of segments) this.readers.set(file, (this.readers.get(file) ?? 0) + 1);
    return { release: () => this.release(segments) };
  }

  private async release(segments: readonly Segment[]): Promise<void> {
    for (const segment of segments) {
      const left = (this.readers.get(segment.file) ?? 1) - 1;
      if (left > 0) this.readers.set(segment.file, left);
      else {
        this.readers.delete(segment.file);
        if (this.doomed.delete(segment.file)) await this.remove([segment]);
      }
    }
  }

  /** The bytes from `start` to `end` (exclusive) of the segments put together. */
  async *read(segments: readonly Segment[], start: number, end: number): AsyncGenerator<Buffer> {
    let offset = 0;
    for (const { file, sizeBytes } of segments) {
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, sizeBytes);
      offset += sizeBytes;
      if (from >= to) continue;
      let sent = 0;
      for await (const piece of createReadStream(join(this.dataDir, file), { start: from, end: to - 1 })) {
        sent += (piece as Buffer).length;
        yield piece as Buffer;
      }
      if (sent !== to - from) throw new Error(`segment ${file} is shorter than its record says`);
    }
  }
}
