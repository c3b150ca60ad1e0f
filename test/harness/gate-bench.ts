import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './build';
import { PipelineBench, sampleRun, type TeamClient } from './pipeline-bench';
import { addHistoryRun, noisy, recordHistory } from './seed-history';
import { createTeamsService } from '../../src/modules/teams';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The whole product with a team that has a history, and the command line as pipelines use it. */
export class GateBench {
  private constructor(
    readonly bench: PipelineBench,
    readonly team: TeamClient,
    /** A token as a pipeline has it: runs:write and gates:evaluate. */
    readonly token: string,
    /** A folder for the files of a test. */
    readonly folder: string,
    /** Where `stallscope` is. */
    private readonly bin: string,
  ) {}

  static async open(): Promise<GateBench> {
    const bench = await PipelineBench.open();
    await bench.startWorker();
    const team = await bench.team(['runs:read', 'runs:write', 'gates:evaluate', 'admin']);
    const scopes = ['runs:write', 'gates:evaluate'] as const;
    const { token } = await createTeamsService(bench.database).createApiToken(team.teamId, {
      name: 'ci',
      scopes,
    });
    const folder = await mkdtemp(join(tmpdir(), 'stallscope-gate-'));
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const cli = join(await ensureBuilt(), 'src/cli/main.js');
    await writeFile(join(bin, 'stallscope'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
    await chmod(join(bin, 'stallscope'), 0o755);
    const profile = join(folder, 'profile');
    await mkdir(profile);
    for (const { name, bytes } of sampleRun('launch_bound')) await writeFile(join(profile, name), bytes);
    return new GateBench(bench, team, token, folder, bin);
  }

  /** Twelve runs of main at 100 ms, and one of a branch; gives the id of the last. */
  async addHistory(model: string, stepNs: number): Promise<string> {
    const { bench, team } = this;
    const add = (hour: number, ns: number, branch: string) =>
      addHistoryRun(bench.database, team.teamId, { hour, stepNs: ns, model, branch });
    for (let hour = 0; hour < 12; hour++) await add(hour, noisy(hour, 100e6), 'main');
    const runId = await add(20, stepNs, 'topic');
    await recordHistory(bench.database);
    return runId;
  }

  /** Runs a script as the shells of pipelines do, in the folder, with `stallscope` in the path. */
  shell(script: string, env: Record<string, string> = {}): Promise<CommandResult> {
    const whole = {
      ...{ PATH: `${this.bin}:${process.env.PATH}`, HOME: this.folder },
      ...{ STALLSCOPE_SERVER: this.bench.api.baseUrl, STALLSCOPE_TOKEN: this.token, ...env },
    };
    return new Promise((resolve) => {
      const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
      execFile('bash', args, { env: whole, cwd: this.folder }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  }

  async close(): Promise<void> {
    await this.bench.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
