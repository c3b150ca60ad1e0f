import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { packageRoot } from '../../src/entry/package-root';
import { type NodeProcess } from '../../infra/local/processes';
import { createTeamsService, type Scope } from '../../src/modules/teams';
import { loadConfig } from '../../src/platform/config';
import { Database } from '../../src/platform/database';
import { ObjectStore } from '../../src/platform/object-store';
import { createTestEnvironment, type TestEnvironment } from './environment';
import { productProcesses, type ApiProcess, type ProductProcesses } from './processes';

/** Short enough for a test to see lost work found, and bounds that small files can meet. */
const FAST = { STALLED_AFTER_S: '5', RECONCILE_INTERVAL_S: '1', UPLOAD_PART_BYTES: '5MiB' };

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  text: string;
  body: T;
}

export interface UploadFile {
  name: string;
  bytes: Buffer;
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The files of one sample run. */
export function sampleRun(name: string): UploadFile[] {
  const folder = join(packageRoot(), 'samples', name);
  if (!existsSync(folder)) throw new Error(`No sample run ${name}.`);
  return readdirSync(folder).map((file) => ({ name: file, bytes: readFileSync(join(folder, file)) }));
}

/** Calls the API as one team, with plain fetch. */
export class TeamClient {
  constructor(
    private readonly baseUrl: string,
    readonly teamId: string,
    readonly token: string,
  ) {}

  /** The same team at another API process. */
  at(baseUrl: string): TeamClient {
    return new TeamClient(baseUrl, this.teamId, this.token);
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const raw = Buffer.isBuffer(body);
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : raw ? new Uint8Array(body) : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : {}) as T,
    };
  }

  async createRun(metadata: Record<string, unknown> = {}): Promise<string> {
    const { body } = await this.call<{ id: string }>('POST', '/v1/runs', {
      model: 'm',
      cluster: 'c',
      ...metadata,
    });
    return body.id;
  }

  register(runId: string, { name, bytes }: UploadFile, declared: Record<string, unknown> = {}) {
    const file = { name, sizeBytes: bytes.length, sha256: sha256(bytes), ...declared };
    return this.call<Registered>('POST', `/v1/runs/${runId}/artifacts`, file);
  }

  /** Completes the artifacts with these ids, or all that are awaited. */
  complete(runId: string, artifacts?: readonly string[]) {
    return this.call<{ state: string; generation: number; awaitingArtifacts: number }>(
      'POST',
      `/v1/runs/${runId}/complete`,
      artifacts && { artifacts },
    );
  }

  /** Registers one file of a run and uploads all its parts, or other bytes in their place; gives the id of the artifact. */
  async send(runId: string, file: UploadFile, bytes = file.bytes): Promise<string> {
    const { status, body, text } = await this.register(runId, file);
    if (status !== 201) throw new Error(`registering failed: ${text}`);
    for (const part of body.parts) await putPart(part, bytes, body.partSizeBytes);
    return body.id;
  }

  /** Registers the files of a run, uploads all their parts and completes it; gives its id. */
  async upload(files: readonly UploadFile[], metadata: Record<string, unknown> = {}): Promise<string> {
    const runId = await this.createRun(metadata);
    for (const file of files) await this.send(runId, file);
    const { status, text } = await this.complete(runId);
    if (status !== 200) throw new Error(`completing failed: ${text}`);
    return runId;
  }

  async state(runId: string): Promise<RunBody> {
    return (await this.call<RunBody>('GET', `/v1/runs/${runId}`)).body;
  }

  /** Waits until the run is in one of these states; fails when it ends in another one. */
  async waitFor(runId: string, states: readonly string[], timeoutMs = 40_000): Promise<RunBody> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const run = await this.state(runId);
      if (states.includes(run.state)) return run;
      const ended = run.state === 'done' || run.state === 'failed';
      if (ended || Date.now() > deadline) {
        throw new Error(`run is ${run.state} (${JSON.stringify(run.failure)}), not ${states.join(' or ')}`);
      }
      await sleep(50);
    }
  }
}

export interface Registered {
  id: string;
  state: string;
  partSizeBytes: number;
  partCount: number;
  parts: { partNumber: number; sizeBytes: number; url: string; uploaded: boolean }[];
  nextPart: number | null;
}

export interface RunBody {
  id: string;
  state: string;
  generation: number;
  failure: { code: string; reason: string } | null;
  verdict: { bottleneck: string; summary: string } | null;
  artifacts: { id: string; name: string; state: string }[];
}

/** PUTs one part of the bytes to its presigned URL, as any client would. */
export async function putPart(part: Registered['parts'][number], bytes: Buffer, partSizeBytes: number) {
  const start = (part.partNumber - 1) * partSizeBytes;
  const body = new Uint8Array(bytes.subarray(start, start + part.sizeBytes));
  const response = await fetch(part.url, { method: 'PUT', body });
  if (!response.ok) throw new Error(`part ${part.partNumber}: ${response.status} ${await response.text()}`);
}

/** The whole product: an API process, worker processes, and the servers' insides to look at. */
export class PipelineBench {
  private readonly workers: NodeProcess[] = [];

  private constructor(
    readonly environment: TestEnvironment,
    readonly processes: ProductProcesses,
    readonly api: ApiProcess,
    readonly database: Database,
    readonly store: ObjectStore,
    private readonly sql: Client,
  ) {}

  static async open(overrides: Record<string, string> = {}): Promise<PipelineBench> {
    const environment = await createTestEnvironment({ ...FAST, ...overrides });
    const processes = productProcesses();
    const api = await processes.startApi(environment.env);
    const config = loadConfig(environment.env);
    const sql = new Client({ connectionString: environment.ownerUrl });
    await sql.connect();
    const database = new Database(config.database);
    return new PipelineBench(environment, processes, api, database, new ObjectStore(config.objectStore), sql);
  }

  async startWorker(overrides: Record<string, string> = {}): Promise<NodeProcess> {
    const worker = await this.processes.startWorker({ ...this.environment.env, ...overrides });
    this.workers.push(worker);
    return worker;
  }

  /** Stops all workers of this bench; those that have ended are no error. */
  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
  }

  /** Another API process beside `api`. */
  startApi(overrides: Record<string, string>): Promise<ApiProcess> {
    return this.processes.startApi({ ...this.environment.env, ...overrides });
  }

  async team(scopes: Scope[] = ['runs:read', 'runs:write']): Promise<TeamClient> {
    const slug = `t${randomBytes(6).toString('hex')}`;
    const teams = createTeamsService(this.database);
    const owner = { email: `owner@${slug}.test`, password: 'correct horse battery staple' };
    const { teamId } = await teams.createTeamWithOwner({ slug, owner });
    const { token } = await teams.createApiToken(teamId, { name: 'test', scopes });
    return new TeamClient(this.api.baseUrl, teamId, token);
  }

  /** Asks the database as its owner, whom row-level security does not bind. */
  async query<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    return (await this.sql.query(text, values)).rows as Row[];
  }

  /** Result sets, and rows in their tables, of one run. */
  async resultsOf(runId: string) {
    const [row] = await this.query<Record<'analyses' | 'metrics' | 'steps' | 'findings', number>>(
      `SELECT count(*)::int AS analyses,
         coalesce(sum((SELECT count(*) FROM metric_values m WHERE m.analysis_id = a.id)), 0)::int AS metrics,
         coalesce(sum((SELECT count(*) FROM step_breakdowns s WHERE s.analysis_id = a.id)), 0)::int AS steps,
         coalesce(sum((SELECT count(*) FROM findings f WHERE f.analysis_id = a.id)), 0)::int AS findings
       FROM analyses a WHERE a.run_id = $1`,
      runId,
    );
    return row;
  }

  async attemptsOf(runId: string): Promise<number> {
    const [{ attempts }] = await this.query<{ attempts: number }>(
      'SELECT attempts FROM runs WHERE id = $1',
      runId,
    );
    return attempts;
  }

  async close(): Promise<void> {
    await this.processes.stopAll();
    await this.database.close();
    this.store.onApplicationShutdown();
    await this.sql.end();
    await this.environment.drop();
  }
}
