import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTeamsService } from '../../src/modules/teams';
import {
  PipelineBench,
  sampleRun,
  sha256,
  type TeamClient,
  type UploadFile,
} from '../harness/pipeline-bench';

interface Listed {
  id: string;
  name: string;
  format: string | null;
  sizeBytes: number;
  sha256: string;
}

const PER_TEAM = 2;
const SMALL: UploadFile = { name: 'rank0/Ünïcode "q"; x=y.bin', bytes: randomBytes(1_000) };

let bench: PipelineBench;
let team: TeamClient;

beforeAll(async () => {
  bench = await PipelineBench.open({ DOWNLOADS_PER_TEAM: String(PER_TEAM) });
  team = await bench.team();
});
afterAll(() => bench.close());

const list = async (runId: string, query = '') =>
  (
    await team.call<{ items: Listed[]; nextCursor: string | null }>(
      'GET',
      `/v1/runs/${runId}/artifacts${query}`,
    )
  ).body;
const pathOf = (runId: string, id: string) => `/v1/runs/${runId}/artifacts/${id}/content`;
const download = (path: string, token = team.token, method = 'GET') =>
  fetch(bench.api.baseUrl + path, { method, headers: { authorization: `Bearer ${token}` } });
async function expectCode(response: Response, status: number, code: string): Promise<void> {
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
}

/** A run whose file is uploaded and waits for a worker; gives the path of the content. */
async function uploaded(file: UploadFile, metadata: object = {}): Promise<{ runId: string; path: string }> {
  const runId = await team.upload([file], { ...metadata });
  const { items } = await list(runId);
  return { runId, path: pathOf(runId, items[0].id) };
}

describe('the files of a run', () => {
  it('are listed with what they were read as, and come back as they were uploaded', async () => {
    await bench.startWorker();
    const files = sampleRun('data_starved');
    const runId = await team.upload(files);
    await team.waitFor(runId, ['done']);
    await bench.stopWorkers();
    const { items } = await list(runId);
    expect(items.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name).sort());
    for (const { name, format } of items)
      expect([name, format]).toEqual([name, /trace/.test(name) ? 'kineto' : expect.any(String)]);
    const [first] = (await list(runId, '?limit=1')).items;
    expect(first).toEqual(items[0]);
    for (const { id, name, sha256: digest } of items) {
      const response = await download(pathOf(runId, id));
      expect(response.status).toBe(200);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect([name, sha256(bytes)]).toEqual([name, digest]);
      expect(files.find((file) => file.name === name)?.bytes.equals(bytes)).toBe(true);
    }
  });

  it('have no format without a report', async () => {
    const { runId } = await uploaded(SMALL);
    expect((await list(runId)).items).toMatchObject([{ name: SMALL.name, format: null, sizeBytes: 1_000 }]);
  });

  it('are saved, never shown, under a name that cannot be mistaken for a path or another header', async () => {
    const { path } = await uploaded(SMALL);
    const response = await download(path);
    const { headers } = response;
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-length')).toBe('1000');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="rank0__n_code _q__ x=y.bin"; filename*=UTF-8''rank0_%C3%9Cn%C3%AFcode%20%22q%22%3B%20x%3Dy.bin`,
    );
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(SMALL.bytes));
    const head = await download(path, team.token, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '1000', '']);
  });

  it('are told from those that are not there', async () => {
    const { runId, path } = await uploaded(SMALL);
    await expectCode(await download(pathOf(runId, randomUUID())), 404, 'artifact-not-found');
    await expectCode(await download(pathOf(runId, 'x')), 400, 'validation-failed');
    const waiting = await team.createRun();
    const { body } = await team.register(waiting, SMALL);
    await expectCode(await download(pathOf(waiting, body.id)), 409, 'artifact-not-uploaded');
    // An artifact of another run of the same team.
    await expectCode(await download(path.replace(runId, waiting)), 404, 'artifact-not-found');
  });

  it('are gone when retention, or whoever keeps the bucket, took their bytes', async () => {
    const { runId, path } = await uploaded(SMALL);
    await bench.query(
      'UPDATE artifacts SET object_key = $1 WHERE run_id = $2',
      `teams/${team.teamId}/no`,
      runId,
    );
    const response = await download(path);
    expect(response.headers.get('content-disposition')).toBeNull();
    await expectCode(response, 410, 'artifact-gone');
    await bench.query(`UPDATE artifacts SET state = 'rejected' WHERE run_id = $1`, runId);
    await expectCode(await download(path), 410, 'artifact-gone');
  });

  it('are for whoever may read the run', async () => {
    const { path } = await uploaded(SMALL, { model: 'within' });
    const stranger = await bench.team();
    await expectCode(await download(path, stranger.token), 404, 'artifact-not-found');
    const teams = createTeamsService(bench.database);
    const tokenWith = async (scopes: ('runs:read' | 'runs:write')[], models?: string[]) =>
      (
        await teams.createApiToken(team.teamId, {
          ...{ name: 'x', scopes },
          ...(models && { limits: { models, clusters: [] } }),
        })
      ).token;
    await expectCode(await download(path, await tokenWith(['runs:write'])), 403, 'scope-missing');
    await expectCode(await download(path, await tokenWith(['runs:read'], ['else'])), 404, 'run-not-found');
    expect((await download(path, await tokenWith(['runs:read'], ['within']))).status).toBe(200);
    expect((await fetch(bench.api.baseUrl + path)).status).toBe(401);
  });

  it('are sent as fast as they are read, a few at a time', async () => {
    const file = { name: 'large.bin', bytes: randomBytes(64 * 2 ** 20) };
    const { path } = await uploaded(file);
    const held = await Promise.all([stalled(path), stalled(path)]);
    await expectCode(await download(path), 429, 'too-many-downloads');
    // Another team is not held up.
    await expectCode(await download(path, (await bench.team()).token), 404, 'artifact-not-found');
    for (const close of held) close();
    for (;;) {
      const response = await download(path);
      if (response.status === 200) {
        expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(file.bytes));
        break;
      }
      await response.body?.cancel();
      await sleep(50);
    }
  }, 60_000);
});

/** A download of which nothing more than the first bytes is read; gives what cuts it. */
async function stalled(path: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const asked = request(bench.api.baseUrl + path, { headers: { authorization: `Bearer ${team.token}` } });
    asked.on('response', (response) => {
      response.pause();
      response.on('error', () => undefined);
      resolve(() => asked.destroy());
    });
    asked.on('error', reject);
    asked.end();
  });
}
