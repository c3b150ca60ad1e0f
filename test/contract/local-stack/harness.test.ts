import {
  CreateMultipartUploadCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Client } from 'pg';
import { createTestEnvironment, type TestEnvironment } from '../../harness/environment';
import { productProcesses } from '../../harness/processes';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

function s3({ env }: TestEnvironment): S3Client {
  return new S3Client({
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    forcePathStyle: env.S3_FORCE_PATH_STYLE === 'true',
    credentials: { accessKeyId: env.S3_ACCESS_KEY_ID ?? '', secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '' },
  });
}

describe('a test environment', () => {
  it('shares nothing with another one', async () => {
    const [one, two] = await Promise.all([
      createTestEnvironment(),
      createTestEnvironment({ LOG_LEVEL: 'warn' }),
    ]);
    expect(two.env.LOG_LEVEL).toBe('warn');
    for (const name of ['DATABASE_URL', 'QUEUE_PREFIX', 'S3_BUCKET'])
      expect(one.env[name]).not.toBe(two.env[name]);

    await query(one.ownerUrl, `INSERT INTO teams (id, slug, name) VALUES (gen_random_uuid(), 'a', 'A')`);
    expect(await query(one.ownerUrl, 'SELECT slug FROM teams')).toEqual([{ slug: 'a' }]);
    expect(await query(two.ownerUrl, 'SELECT slug FROM teams')).toEqual([]);

    const [first, second] = [s3(one), s3(two)];
    await first.send(new PutObjectCommand({ Bucket: one.env.S3_BUCKET, Key: 'k', Body: 'x' }));
    await first.send(new CreateMultipartUploadCommand({ Bucket: one.env.S3_BUCKET, Key: 'unfinished' }));
    const keys = async (client: S3Client, { env }: TestEnvironment) =>
      (await client.send(new ListObjectsV2Command({ Bucket: env.S3_BUCKET }))).Contents?.map(
        ({ Key }) => Key,
      );
    expect(await keys(first, one)).toEqual(['k']);
    expect(await keys(second, two)).toBeUndefined();
    for (const client of [first, second]) client.destroy();
    await Promise.all([one.drop(), two.drop()]);
    await expect(query(one.ownerUrl, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });

  it('is enough for the real API to be ready and a real worker to take jobs', async () => {
    const environment = await createTestEnvironment();
    const processes = productProcesses();
    try {
      const api = await processes.startApi(environment.env);
      const worker = await processes.startWorker(environment.env);
      expect((await fetch(`${api.baseUrl}/health/live`)).status).toBe(200);
      for (const child of [worker, api]) {
        await child.stop();
        expect(await child.ended).toBe('exit code 0');
      }
    } finally {
      await processes.stopAll();
      await environment.drop();
    }
  });
});
