import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from '../../../src/cli/client/api-client';
import { findFreePort } from '../free-port';
import { errorMessage } from '../local-stack-error';
import { migrate } from '../migrate';
import { packageRoot } from '../../../src/entry/package-root';
import { superviseProcesses } from '../processes';
import { removeLocalStack, startLocalStack } from '../stack';
import { stopOnSignals } from '../stop-on-signals';
import { createAccounts, type DemoAccounts } from './accounts';
import { uploadHistory } from './history';
import { listSampleRuns } from './sample-runs';
import { showRuns } from './show-runs';

const USAGE = `Usage: npm run demo -- [--once] [--data DIR]
       npm run demo:reset -- [--data DIR]

Starts everything, uploads the sample runs through the public API and prints their reports; stays up until Ctrl-C.
Servers that DATABASE_URL, REDIS_URL or S3_* name are used instead of local ones.

  --once       end after the reports
  --data DIR   folder for all data (default: .stallscope)
  --reset      delete that folder instead
`;

const WORKERS = 2;

// The AWS SDK warns about Node.js 20 on every start; the person at the keyboard cannot do anything with it.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: false },
      reset: { type: 'boolean', default: false },
      data: { type: 'string', default: '.stallscope' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const dataDir = resolve(values.data);
  if (values.reset) reset(dataDir);
  else await run(dataDir, values.once);
}

/** Deletes what an earlier start has made; a folder that is not there is as good as deleted. */
function reset(dataDir: string): void {
  if (existsSync(dataDir)) removeLocalStack(dataDir);
  print(`Nothing of the demonstration is left in ${dataDir}.`);
}

async function run(dataDir: string, once: boolean): Promise<void> {
  const started = performance.now();
  const since = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const processes = superviseProcesses(dataDir, print);
  let stopStack: () => Promise<void> = async () => undefined;
  const stop = async (): Promise<void> => {
    await processes.stopAll();
    await stopStack();
  };
  stopOnSignals(stop, print);
  try {
    print('Starting Postgres, Redis and an S3 server …');
    const stack = await startLocalStack({ dataDir, env: process.env, log: (line) => print(`  ${line}`) });
    stopStack = stack.stop;
    await migrate(stack.env.DATABASE_URL, (line) => print(`  ${line}`));

    const root = packageRoot();
    const port = await findFreePort();
    const server = `http://127.0.0.1:${port}`;
    const env = { ...process.env, ...stack.env, HOST: '127.0.0.1', PORT: String(port) };
    const apiEntry = join(root, 'dist/src/main.js');
    print(`Servers are up after ${since()}. Starting the API and ${WORKERS} workers …`);
    const accounts = await createAccounts(apiEntry, dataDir, env);
    await Promise.all([
      processes.start({ name: 'api', entry: apiEntry, env, readyWhen: { url: `${server}/health/ready` } }),
      ...Array.from({ length: WORKERS }, (_, i) =>
        processes.start({
          name: `worker-${i + 1}`,
          entry: join(root, 'dist/workers/main.js'),
          env,
          readyWhen: { output: /"msg":"taking jobs/ },
        }),
      ),
    ]);
    print(`API and workers are up after ${since()}. Uploading the sample runs as a client would …`);
    await showRuns(new ApiClient(server, accounts.token), listSampleRuns(join(root, 'samples')), print);
    print(whereToLook(server, accounts, dataDir, since()));
    for (const note of stack.notes) print(`Note: ${note}`);
    if (once) return await stop();
    await uploadHistory(server, accounts.token, join(root, 'samples'), print);
    print('Ctrl-C stops everything.');
  } catch (error) {
    await stop();
    throw error;
  }
}

function whereToLook(server: string, accounts: DemoAccounts, dataDir: string, elapsed: string): string {
  const { team, token, ownerEmail, ownerPassword, viewerEmail, viewerPassword } = accounts;
  return `━━━ Where to look further (everything above took ${elapsed}) ━━━
  In the browser      ${server}/  (sign in as below)
  API documentation   ${server}/docs      OpenAPI ${server}/openapi.json
  All runs            curl -H "Authorization: Bearer $TOKEN" $SERVER/v1/runs
  Your own trace      curl -T trace.json.gz -H "Authorization: Bearer $TOKEN" "$SERVER/v1/ingest?model=mine&cluster=here"
  Without a server    npx stallscope analyze trace.json.gz
  Sign in             team ${team}: ${ownerEmail}, password ${ownerPassword}
                      or ${viewerEmail} (may only read), password ${viewerPassword}
  Logs and data       ${join(dataDir, 'logs')}, ${dataDir}

To paste into another terminal before these commands, and those of the README:
export SERVER=${server}
export TOKEN=${token}
`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
});
