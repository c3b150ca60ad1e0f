import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkBucketName } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { Bucket } from './bucket';
import { KeyedLock } from './keyed-lock';
import { readJson, writeJsonAtomically } from './write-json';

/** All buckets of one data folder: a folder each, named like the bucket. */
export class BucketRegistry {
  private readonly buckets = new Map<string, Bucket>();
  private readonly lock = new KeyedLock();

  private constructor(private readonly dir: string) {}

  static async open(dataDir: string): Promise<BucketRegistry> {
    const registry = new BucketRegistry(join(dataDir, 'buckets'));
    await mkdir(registry.dir, { recursive: true });
    for (const name of await readdir(registry.dir)) {
      const record = await readJson<{ createdMs: number }>(join(registry.dir, name, 'bucket.json')).catch(
        () => undefined,
      );
      // Without its record the bucket was being created or deleted when the process ended.
      if (record)
        registry.buckets.set(name, await Bucket.open(name, record.createdMs, join(registry.dir, name)));
      else await rm(join(registry.dir, name), { recursive: true, force: true });
    }
    return registry;
  }

  list(): Bucket[] {
    return [...this.buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): Bucket {
    const bucket = this.buckets.get(name);
    if (!bucket) throw new S3Error('NoSuchBucket');
    return bucket;
  }

  async create(name: string, nowMs: number): Promise<void> {
    checkBucketName(name);
    await this.lock.run(name, async () => {
      if (this.buckets.has(name)) throw new S3Error('BucketAlreadyOwnedByYou');
      const dir = join(this.dir, name);
      const bucket = await Bucket.open(name, nowMs, dir);
      await writeJsonAtomically(
        join(dir, 'bucket.json'),
        { createdMs: nowMs },
        bucket.segments.scratchPath(),
      );
      this.buckets.set(name, bucket);
    });
  }

  async delete(name: string): Promise<void> {
    await this.lock.run(name, async () => {
      if (!this.get(name).isEmpty) throw new S3Error('BucketNotEmpty');
      this.buckets.delete(name);
      // The record goes first: a folder without it is swept at the next start.
      await rm(join(this.dir, name, 'bucket.json'), { force: true });
      await rm(join(this.dir, name), { recursive: true, force: true });
    });
  }
}
