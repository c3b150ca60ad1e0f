import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findFreePort } from '../../infra/local/free-port';
import { type NodeProcess, superviseProcesses } from '../../infra/local/processes';
import { ensureBuilt } from './build';
import { testStack } from './test-stack';

/** Longer than the product's own bound for finishing what it is doing. */
const STOP_BOUND_MS = 25_000;

export interface ApiProcess extends NodeProcess {
  /** For example http://127.0.0.1:41231, without a slash at the end. */
  baseUrl: string;
}

export interface ProductProcesses {
  /** Starts the API, and waits until /health/ready answers 200. HOST is ours, and so is PORT unless it is given. */
  startApi(env: Record<string, string>): Promise<ApiProcess>;
  /** Starts a worker process, without the secrets of the API, and waits until it takes jobs. */
  startWorker(env: Record<string, string>): Promise<NodeProcess>;
  /** Stops all that still run, the youngest first. */
  stopAll(): Promise<void>;
}

/**
 * The real processes of the product, out of dist/, which is built first when the sources changed.
 *
 *     const processes = productProcesses();
 *     const { env } = await createTestEnvironment();
 *     const api = await processes.startApi(env);
 *     await fetch(`${api.baseUrl}/health/live`);
 *     await processes.stopAll();
 *
 * Their logs are in `<testStack().dataDir>/logs`; a failing start shows the end of it.
 */
export function productProcesses(): ProductProcesses {
  const supervisor = superviseProcesses(testStack().dataDir, (line) => process.stderr.write(`${line}\n`));
  const start = async (kind: string, entry: string, env: Record<string, string>, readyWhen: ReadyWhen) =>
    supervisor.start({
      name: `${kind}-${randomBytes(4).toString('hex')}`,
      entry: join(await ensureBuilt(), entry),
      env,
      readyWhen,
      stopBoundMs: STOP_BOUND_MS,
    });
  return {
    startApi: async (env) => {
      const port = env.PORT === undefined ? await findFreePort() : Number(env.PORT);
      const baseUrl = `http://127.0.0.1:${port}`;
      const own = { ...env, HOST: '127.0.0.1', PORT: String(port) };
      const api = await start('api', 'src/main.js', own, { url: `${baseUrl}/health/ready` });
      return { ...api, baseUrl };
    },
    startWorker: ({ JWT_SECRET: _signsSessions, ...env }) =>
      start('worker', 'workers/main.js', env, { output: WORKER_READY }),
    stopAll: () => supervisor.stopAll(),
  };
}

type ReadyWhen = Parameters<ReturnType<typeof superviseProcesses>['start']>[0]['readyWhen'];

/** What a worker process logs when it takes jobs. */
const WORKER_READY = /"msg":"taking jobs/;
