// Runs `prisma generate` where the engine cannot be downloaded. Generating this client needs no engine, but Prisma
// looks for one first; any program that exists satisfies it. An engine that is there is used as it is.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = dirname(dirname(fileURLToPath(import.meta.url)));

function engineIsThere() {
  if (process.env.PRISMA_SCHEMA_ENGINE_BINARY) return true;
  const engines = dirname(
    require.resolve('@prisma/engines/package.json', {
      paths: [dirname(require.resolve('prisma/package.json'))],
    }),
  );
  return existsSync(engines) && readdirSync(engines).some((name) => name.startsWith('schema-engine-'));
}

const env = { CHECKPOINT_DISABLE: '1', ...process.env };
if (!engineIsThere()) env.PRISMA_SCHEMA_ENGINE_BINARY = process.execPath;

const cli = join(dirname(require.resolve('prisma/package.json')), 'build', 'index.js');
const { status, error, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate'], { cwd: root, env });
if (error) throw error;
// Prisma greets and advertises at every run; only a failure is worth reading.
if (status !== 0) process.stderr.write(`${stdout.toString()}${stderr.toString()}`);
process.exit(status ?? 1);
