import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Error } from '../http/s3-error';
import { type Checksum, type ChecksumAlgorithm } from '../payload/checksums';
import { type Segment, type SegmentFiles } from './segment-files';
import { compareKeys } from './stored-object';
import { readJson, writeJsonAtomically } from './write-json';

/** One uploaded part. */
export interface Part {
  number: number;
  etag: string;
  lastModifiedMs: number;
  checksum?: Checksum;
  segment: Segment;
}

/** A multipart upload under way. */
export interface Upload {
  id: string;
  key: string;
  initiatedMs: number;
  headers: Record<string, string>;
  checksumAlgorithm?: ChecksumAlgorithm;
}

/** The multipart uploads of one bucket, kept over restarts: a folder an upload, a side file a part. */
export class Uploads {
  private readonly open_ = new Map<string, { upload: Upload; parts: Map<number, Part> }>();

  constructor(
    private readonly dir: string,
    private readonly segments: SegmentFiles,
  ) {}

  async open(): Promise<void> {
    await mkdir(this.dir, { recursive: true });
    for (const id of await readdir(this.dir)) {
      const files = await readdir(join(this.dir, id));
      if (!files.includes('upload.json')) {
        await rm(join(this.dir, id), { recursive: true, force: true });
        continue;
      }
      const parts = new Map<number, Part>();
      for (const file of files.filter((name) => name.startsWith('part-'))) {
        const part = await readJson<Part>(join(this.dir, id, file));
        parts.set(part.number, part);
      }
      this.open_.set(id, { upload: await readJson<Upload>(join(this.dir, id, 'upload.json')), parts });
    }
  }

  /** Segment files that parts refer to. */
  *referencedFiles(): Generator<string> {
    for (const { parts } of this.open_.values()) for (const { segment } of parts.values()) yield segment.file;
  }

  /** Uploads in S3's order: by key, then by age. */
  list(): Upload[] {
    return [...this.open_.values()]
      .map(({ upload }) => upload)
      .sort((a, b) => compareKeys(a.key, b.key) || a.initiatedMs - b.initiatedMs || (a.id < b.id ? -1 : 1));
  }

  async create(upload: Omit<Upload, 'id'>): Promise<Upload> {
    const created = { ...upload, id: randomBytes(24).toString('hex') };
    await mkdir(join(this.dir, created.id));
    await writeJsonAtomically(
      join(this.dir, created.id, 'upload.json'),
      created,
      this.segments.scratchPath(),
    );
    this.open_.set(created.id, { upload: created, parts: new Map() });
    return created;
  }

  /** The upload and its parts in order; `NoSuchUpload` when the id is unknown or belongs to another key. */
  get(id: string, key: string): { upload: Upload; parts: Part[] } {
    const found = this.open_.get(id);
    if (!found || found.upload.key !== key) throw new S3Error('NoSuchUpload');
    return { upload: found.upload, parts: [...found.parts.values()].sort((a, b) => a.number - b.number) };
  }

  /** Takes a part in, in place of one with the same number. The upload may have ended meanwhile. */
  async savePart(id: string, part: Part): Promise<void> {
    const found = this.open_.get(id);
    const path = join(this.dir, id, `part-${part.number}.json`);
    try {
      if (!found) throw new S3Error('NoSuchUpload');
      await writeJsonAtomically(path, part, this.segments.scratchPath());
      if (!this.open_.has(id)) throw new S3Error('NoSuchUpload');
    } catch (error) {
      await this.segments.remove([part.segment]);
      if (!this.open_.has(id)) await rm(path, { force: true });
      throw this.open_.has(id) ? error : new S3Error('NoSuchUpload');
    }
    const before = found.parts.get(part.number);
    found.parts.set(part.number, part);
    if (before) await this.segments.remove([before.segment]);
  }

  /** Takes an upload out of the list so that nobody else can end it; `restore` puts it back. */
  claim(id: string, key: string): { restore(): void } {
    this.get(id, key);
    const entry = this.open_.get(id);
    this.open_.delete(id);
    return { restore: () => entry && this.open_.set(id, entry) };
  }

  /** Removes a claimed upload's folder and those of its segments that no object took over. */
  async discard(id: string, unused: readonly Segment[]): Promise<void> {
    await rm(join(this.dir, id), { recursive: true, force: true });
    await this.segments.remove(unused);
  }
}
