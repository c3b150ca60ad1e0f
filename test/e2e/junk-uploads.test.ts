import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { gzipBomb } from '../builders/gzip-bomb';
import { bucketContents } from '../harness/bucket-contents';
import {
  PipelineBench,
  putPart,
  sampleRun,
  type TeamClient,
  type UploadFile,
} from '../harness/pipeline-bench';
import { until } from '../harness/until';

const GZ = sampleRun('data_starved').filter(({ name }) => name.includes('trace'))[0].bytes;
const JSON_TRACE = gunzipSync(GZ);
const TEXT = Buffer.from('Step 1 took 2.5 s.\nStep 2 took 2.4 s.\n');

describe('junk under the SHA-256 of a real trace', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    await bench.startWorker();
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterAll(() => bench.close());

  const stored = async () => {
    const { keys, uploads } = await bucketContents(bench.environment.env);
    return [...keys, ...uploads].filter((key) => key.includes(team.teamId));
  };

  /** Registers `file`, and uploads as many other bytes in its place. */
  async function uploadInstead(runId: string, file: UploadFile, junk: Buffer) {
    const bytes = Buffer.alloc(file.bytes.length, junk);
    const { body } = await team.register(runId, file);
    for (const part of body.parts) await putPart(part, bytes, body.partSizeBytes);
  }
  const rank0 = { name: 'rank0.json.gz', bytes: GZ };
  const victim = { name: 'rank1.json.gz', bytes: gzipSync(JSON_TRACE, { level: 1 }) };
  const kinds: [string, Buffer][] = [
    ['of no format', Buffer.from('junk of no format\n')],
    ['that reads as a trace', Buffer.from('{"traceEvents": [] }\n')],
    ['that begins as gzip', Buffer.from('1f8b0800000000000003', 'hex')],
    ['that is a bomb', gzipBomb(10 ** 9, 0x20, '{"traceEvents": [')],
  ];

  it.each(
    kinds.flatMap(([what, junk]) => [
      [what, 'alone', junk] as const,
      [what, 'beside a good rank', junk] as const,
    ]),
  )('%s, %s: never verified, deleted, and the real file can follow', async (_what, company, junk) => {
    const runId = await team.createRun();
    if (company !== 'alone') {
      const { body } = await team.register(runId, rank0);
      for (const part of body.parts) await putPart(part, rank0.bytes, body.partSizeBytes);
    }
    await uploadInstead(runId, victim, junk);
    await team.complete(runId);
    const { failure, artifacts } = await team.waitFor(runId, ['failed']);
    expect(failure?.code).toBe('checksum-mismatch');
    expect(failure?.reason).toContain(victim.name);
    expect(artifacts.find(({ name }) => name === victim.name)?.state).toBe('rejected');
    expect(await bench.resultsOf(runId)).toMatchObject({ analyses: 0 });
    const left = company === 'alone' ? 0 : 1;
    await until(async () => (await stored()).length === left, 'the junk is deleted');

    const again = await team.createRun();
    const { body } = await team.register(again, victim);
    expect(body).toMatchObject({ state: 'awaitingUpload', partCount: 1 });
    await putPart(body.parts[0], victim.bytes, body.partSizeBytes);
    await team.complete(again);
    const done = await team.waitFor(again, ['done']);
    expect(done.artifacts).toMatchObject([{ name: victim.name, state: 'verified' }]);
  });

  it('in several files: every one of them is rejected', async () => {
    const runId = await team.createRun();
    for (const name of ['a.json', 'b.json', 'c.json']) {
      await uploadInstead(
        runId,
        { name, bytes: Buffer.concat([victim.bytes, Buffer.from(name)]) },
        kinds[0][1],
      );
    }
    await team.complete(runId);
    const { failure, artifacts } = await team.waitFor(runId, ['failed']);
    expect(failure).toMatchObject({
      code: 'checksum-mismatch',
      reason: expect.stringContaining('2 more') as string,
    });
    expect(artifacts.map(({ state }) => state)).toEqual(['rejected', 'rejected', 'rejected']);
    await until(async () => (await stored()).length === 0, 'the junk is deleted');
  });

  it('in the place of a verified copy: nothing refers to it any more, and the real file can follow', async () => {
    await team.waitFor(await team.upload([rank0]), ['done']);
    const [{ object_key: key }] = await bench.query<{ object_key: string }>(
      'SELECT object_key FROM artifacts WHERE team_id = $1',
      team.teamId,
    );
    const rotten = Buffer.alloc(rank0.bytes.length, 'rot');
    await bench.store.write(key, Readable.from([rotten]), { maxBytes: rotten.length });
    const second = await team.upload([rank0]);
    expect((await team.waitFor(second, ['failed'])).failure?.code).toBe('checksum-mismatch');
    await until(async () => (await stored()).length === 0, 'the rotten object is deleted');
    await team.waitFor(await team.upload([rank0]), ['done']);
  });

  it('beside a file that is refused for what it is, and is what was declared', async () => {
    const runId = await team.upload([rank0, { name: 'notes.txt', bytes: TEXT }]);
    const { artifacts } = await team.waitFor(runId, ['done']);
    expect(artifacts.map(({ name, state }) => [name, state])).toEqual([
      ['notes.txt', 'verified'],
      ['rank0.json.gz', 'verified'],
    ]);
  });
});
