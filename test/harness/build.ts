import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { lockFolder } from '../../infra/local/folder-lock';
import { errorCode } from '../../infra/local/local-stack-error';
import { packageRoot } from '../../src/entry/package-root';

const SOURCE_FOLDERS = ['src', 'workers', 'infra'];
const SETTINGS = ['nest-cli.json', '.swcrc', 'tsconfig.json', 'package.json'];
const WEB_FOLDERS = ['web', 'src/presentation'];
const WEB_SETTINGS = ['openapi.json', 'package-lock.json'];
const BUILD_BOUND_MS = 180_000;

/**
 * Makes sure that dist/ is what the sources say, with `nest build` when they changed, and returns its path. The
 * build is made beside dist/ and swapped in, so that processes running from dist/ do not see it half done.
 */
export async function ensureBuilt(): Promise<string> {
  const root = packageRoot();
  const dist = join(root, 'dist');
  if (isCurrent(dist, fingerprint(root))) return dist;
  const workspace = join(root, '.stallscope');
  mkdirSync(workspace, { recursive: true });
  const release = await waitForLock(workspace);
  try {
    const wanted = fingerprint(root);
    if (!isCurrent(dist, wanted)) await build(root, workspace, dist, wanted);
  } finally {
    release();
  }
  return dist;
}

/** Makes sure that dist/web is what the sources of the pages say, and returns its path. */
export async function ensureWebBuilt(): Promise<string> {
  const root = packageRoot();
  const web = join(await ensureBuilt(), 'web');
  const wanted = fingerprint(root, WEB_FOLDERS, WEB_SETTINGS);
  if (isCurrent(web, wanted)) return web;
  const release = await waitForLock(join(root, '.stallscope'));
  try {
    if (isCurrent(web, wanted)) return web;
    // As it is shipped: jest's NODE_ENV would give a React for development.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)('npm', ['run', 'build:web'], { cwd: root, timeout: BUILD_BOUND_MS, env });
    writeFileSync(join(web, '.fingerprint'), wanted);
  } finally {
    release();
  }
  return web;
}

async function build(root: string, workspace: string, dist: string, wanted: string): Promise<void> {
  const staging = join(workspace, `build-${randomUUID()}`);
  const tsconfig = `${staging}.json`;
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: { outDir: staging } }),
  );
  try {
    const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
    await promisify(execFile)(process.execPath, [nest, 'build', '-p', relative(root, tsconfig)], {
      cwd: root,
      timeout: BUILD_BOUND_MS,
    });
    // The pages are built by themselves, and stay.
    if (existsSync(join(dist, 'web'))) cpSync(join(dist, 'web'), join(staging, 'web'), { recursive: true });
    writeFileSync(join(staging, '.fingerprint'), wanted);
    if (existsSync(dist)) renameSync(dist, `${staging}-old`);
    renameSync(staging, dist);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`nest build failed:\n${stdout}\n${stderr}`.trim(), { cause: error });
  } finally {
    for (const path of [staging, tsconfig, `${staging}-old`]) rmSync(path, { recursive: true, force: true });
  }
}

function isCurrent(dist: string, wanted: string): boolean {
  const file = join(dist, '.fingerprint');
  return existsSync(file) && readFileSync(file, 'utf8') === wanted;
}

/** Paths, sizes and times of all sources; deleted and renamed files change it too. */
function fingerprint(root: string, folders = SOURCE_FOLDERS, settings = SETTINGS): string {
  const hash = createHash('sha256');
  const sources = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => !path.endsWith('.test.ts'));
  for (const path of [...settings, ...sources.sort()]) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isFile()) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Jest runs files in several processes; one builds, the others wait. */
async function waitForLock(folder: string): Promise<() => void> {
  const deadline = Date.now() + BUILD_BOUND_MS;
  for (;;) {
    try {
      return lockFolder(folder, 'build').release;
    } catch (error) {
      if (errorCode(error) !== 'folder_in_use' || Date.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, 200));
    }
  }
}
