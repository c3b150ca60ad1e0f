import { randomBytes } from 'node:crypto';
import { ensureBucket } from '../../infra/local/object-store';
import { createTestDatabase } from './database';
import { testStack } from './test-stack';

export interface TestEnvironment {
  /** A complete environment for the product's processes; nothing of ours is in it but PATH. */
  env: Record<string, string>;
  /** Connection string of the database's owner, the same as env.DATABASE_URL. */
  ownerUrl: string;
  /** Removes the database. Bucket and queue keys go with the run. */
  drop(): Promise<void>;
}

/** A prefix for queue keys that no other test uses: 1 to 40 of a-z and 0-9. */
export function freshQueuePrefix(): string {
  return `${testStack().runId}${randomBytes(6).toString('hex')}`;
}

/** An empty bucket that no other test uses, made at the run's object store. Returns its name. */
export async function createTestBucket(): Promise<string> {
  const { env, runId } = testStack();
  const bucket = `${runId}-${randomBytes(6).toString('hex')}`;
  await ensureBucket(env, bucket);
  return bucket;
}

/**
 * A migrated database, an empty bucket and an unused queue prefix, as the variables that the product reads.
 *
 *     const environment = await createTestEnvironment({ ANALYSIS_TIMEOUT_S: '5' });
 *     const api = await startApi(environment.env);
 */
export async function createTestEnvironment(
  overrides: Record<string, string> = {},
): Promise<TestEnvironment> {
  const [database, bucket] = await Promise.all([createTestDatabase(), createTestBucket()]);
  return {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'test',
      ...testStack().env,
      DATABASE_URL: database.ownerUrl,
      QUEUE_PREFIX: freshQueuePrefix(),
      S3_BUCKET: bucket,
      ...overrides,
    },
    ownerUrl: database.ownerUrl,
    drop: database.drop,
  };
}
