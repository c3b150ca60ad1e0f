import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorMessage } from './local-stack-error';
import { migrate } from './migrate';
import { startLocalStack } from './stack';
import { stopOnSignals } from './stop-on-signals';

const USAGE = `Usage: node dist/infra/local/main.js [--data DIR] [--migrate]

Starts Postgres, Redis and S3 for local work, prints their addresses as "export KEY='value'" lines on standard
output, and stays up until Ctrl-C. Servers that DATABASE_URL, REDIS_URL or S3_* name are used instead.

  --data DIR   folder for all data (default: .stallscope)
  --migrate    bring the database up to date first
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      migrate: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const dataDir = resolve(values.data ?? '.stallscope');
  const stack = await startLocalStack({ dataDir, env: process.env, log });
  // The servers do not keep this process up; a timer does.
  const stayUp = setInterval(() => undefined, 2 ** 31 - 1);
  stopOnSignals(async () => {
    clearInterval(stayUp);
    await stack.stop();
  }, log);
  if (values.migrate) await migrate(stack.env.DATABASE_URL, log);
  for (const [name, value] of Object.entries(stack.env)) {
    process.stdout.write(`export ${name}='${value.replaceAll("'", `'\\''`)}'\n`);
  }
  log('The local stack is up; Ctrl-C stops it.');
}

main().catch((error: unknown) => {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exit(1);
});
