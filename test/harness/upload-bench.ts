import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTeamsService } from '../../src/modules/teams';
import { bucketContents } from './bucket-contents';
import { ensureBuilt } from './build';
import { type CommandResult } from './gate-bench';
import { PipelineBench, type RunBody, type TeamClient, type UploadFile } from './pipeline-bench';
import { type PrefixProxy, startPrefixProxy } from './prefix-proxy';

export interface UploadResult extends CommandResult {
  /** Ids of the runs whose reports were printed. */
  runIds: string[];
}

/** The whole product with a worker, behind two proxies that can misbehave: one of the API, one of the object store. */
export class UploadBench {
  team!: TeamClient;
  /** A token that may write and nothing else. */
  token!: string;
  /** A folder for the files of a test. */
  folder!: string;

  private constructor(
    readonly bench: PipelineBench,
    readonly api: PrefixProxy,
    readonly store: PrefixProxy,
  ) {}

  static async open(): Promise<UploadBench> {
    const bench = await PipelineBench.open();
    await bench.startWorker();
    const store = await startPrefixProxy(bench.environment.env.S3_ENDPOINT, '');
    const { baseUrl } = await bench.startApi({ S3_PUBLIC_ENDPOINT: store.url });
    return new UploadBench(bench, await startPrefixProxy(baseUrl, ''), store);
  }

  /** A team and a folder of its own for each test, and proxies that behave. */
  async begin(): Promise<void> {
    this.team = await this.bench.team();
    const scopes = ['runs:write'] as const;
    const teams = createTeamsService(this.bench.database);
    this.token = (await teams.createApiToken(this.team.teamId, { name: 'w', scopes })).token;
    this.folder = await mkdtemp(join(tmpdir(), 'stallscope-upload-'));
    for (const proxy of [this.api, this.store]) {
      proxy.refuse = undefined;
      proxy.hold = undefined;
      proxy.seen.length = 0;
    }
  }

  async end(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs `stallscope upload` with these arguments. */
  async upload(args: readonly string[], server = this.api.url): Promise<UploadResult> {
    const cli = join(await ensureBuilt(), 'src/cli/main.js');
    const env = { PATH: process.env.PATH, STALLSCOPE_SERVER: server, STALLSCOPE_TOKEN: this.token };
    return new Promise((resolve) => {
      execFile(process.execPath, [cli, 'upload', ...args], { env }, (error, stdout, stderr) => {
        const runIds = [...stdout.matchAll(/\/v1\/runs\/([0-9a-f-]{36})\/report\n/g)].map(([, id]) => id);
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr, runIds });
      });
    });
  }

  /** Writes files into a folder of this name, and gives its path. */
  async write(name: string, files: readonly UploadFile[]): Promise<string> {
    const path = join(this.folder, name);
    await mkdir(path, { recursive: true });
    for (const file of files) await writeFile(join(path, file.name), file.bytes);
    return path;
  }

  /** Numbers of the parts that were sent to the store, of files of more than one part. */
  partsSent(): string[] {
    return this.store.seen.flatMap((what) => /^PUT .*[?&](partNumber=\d+)/.exec(what)?.[1] ?? []);
  }

  /** The only run of the team, done, with these files, each stored once. */
  async doneOnce(names: readonly string[]): Promise<RunBody> {
    const rows = await this.bench.query<{ id: string }>(
      'SELECT id FROM runs WHERE team_id = $1',
      this.team.teamId,
    );
    expect(rows).toHaveLength(1);
    const run = await this.team.waitFor(rows[0].id, ['done']);
    expect(run.artifacts.map(({ name }) => name)).toEqual([...names].sort());
    const { keys, uploads } = await bucketContents(this.bench.environment.env);
    const own = (all: readonly string[]) => all.filter((key) => key.includes(this.team.teamId));
    expect([own(keys).length, own(uploads)]).toEqual([names.length, []]);
    return run;
  }

  async close(): Promise<void> {
    await this.api.close();
    await this.store.close();
    await this.bench.close();
  }
}
