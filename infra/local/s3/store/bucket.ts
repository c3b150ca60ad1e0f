import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyedLock } from './keyed-lock';
import { SegmentFiles } from './segment-files';
import { compareKeys, sideFileName, type StoredObject } from './stored-object';
import { Uploads } from './uploads';
import { readJson, writeJsonAtomically } from './write-json';

/** One bucket: an index in memory over side files (one a key) that refer to segment files. */
export class Bucket {
  private readonly objects = new Map<string, StoredObject>();
  private readonly lock = new KeyedLock();
  private sortedKeys: string[] | undefined;

  private constructor(
    readonly name: string,
    readonly createdMs: number,
    private readonly dir: string,
    readonly segments: SegmentFiles,
    readonly uploads: Uploads,
  ) {}

  /** Opens the bucket's folder, creating what is missing, and forgets what a killed process left unfinished. */
  static async open(name: string, createdMs: number, dir: string): Promise<Bucket> {
    const segments = new SegmentFiles(join(dir, 'data'), join(dir, 'scratch'));
    const bucket = new Bucket(name, createdMs, dir, segments, new Uploads(join(dir, 'uploads'), segments));
    await mkdir(join(dir, 'objects'), { recursive: true });
    for (const file of await readdir(join(dir, 'objects'))) {
      const object = await readJson<StoredObject>(join(dir, 'objects', file));
      bucket.objects.set(object.key, object);
    }
    await bucket.uploads.open();
    const referenced = new Set(bucket.uploads.referencedFiles());
    for (const object of bucket.objects.values())
      for (const { file } of object.segments) referenced.add(file);
    await segments.open(referenced);
    return bucket;
  }

  get isEmpty(): boolean {
    return this.objects.size === 0 && this.uploads.list().length === 0;
  }

  find(key: string): StoredObject | undefined {
    return this.objects.get(key);
  }

  /** Keys in S3's order; valid until the next change. */
  keys(): readonly string[] {
    this.sortedKeys ??= [...this.objects.keys()].sort(compareKeys);
    return this.sortedKeys;
  }

  /**
   * Puts an object in place of the one before it, in one step for readers. `check` sees the object before it and may
   * throw (conditional writes): then nothing changes, and the new segments are still the caller's.
   */
  async replace(object: StoredObject, check: (before: StoredObject | undefined) => void): Promise<void> {
    await this.lock.run(object.key, async () => {
      const before = this.objects.get(object.key);
      check(before);
      await writeJsonAtomically(this.sideFile(object.key), object, this.segments.scratchPath());
      this.objects.set(object.key, object);
      if (!before) this.sortedKeys = undefined;
      else await this.segments.remove(before.segments);
    });
  }

  /** Deletes an object; a key that does not exist is no error, as in S3. */
  async delete(key: string): Promise<void> {
    await this.lock.run(key, async () => {
      const object = this.objects.get(key);
      if (!object) return;
      await rm(this.sideFile(key), { force: true });
      this.objects.delete(key);
      this.sortedKeys = undefined;
      await this.segments.remove(object.segments);
    });
  }

  private sideFile(key: string): string {
    return join(this.dir, 'objects', sideFileName(key));
  }
}
