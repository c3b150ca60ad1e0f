import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunMetadata } from './client/api-client';
import { type LocalFile } from './client/local-file';
import { isObject } from './read-json-file';

const MOST_MANIFEST_BYTES = 1 << 20;

/** What the post-hook in Python left in its spool for one run: the recordings of all ranks of a launch that are there. */
export interface SpooledRun {
  /** Idempotency-Key that all ranks send. */
  key: string;
  /** Body of POST /v1/runs, the same of all ranks. */
  body: RunMetadata;
  files: LocalFile[];
}

/** What is in a spool, or in one recording. */
export interface SpoolContent {
  runs: SpooledRun[];
  /** Folders of recordings whose trace is not packed: their job goes on, or was killed. */
  unfinished: string[];
}

/** Reads a spool of the post-hook, or one recording of it; null when the folder is neither. */
export async function readSpool(path: string): Promise<SpoolContent | null> {
  const folders = [path, ...(await foldersIn(path))];
  const runs = new Map<string, SpooledRun>();
  const unfinished: string[] = [];
  for (const folder of folders) {
    const manifest = await readManifest(folder);
    if (manifest === null) continue;
    const names = await filesIn(join(folder, 'files'));
    if (isUnfinished(names)) {
      unfinished.push(folder);
      continue;
    }
    const run = runs.get(manifest.key) ?? { ...manifest, files: [] };
    run.files.push(...names.map((name) => ({ path: join(folder, 'files', name), name })));
    runs.set(manifest.key, run);
  }
  if (runs.size === 0 && unfinished.length === 0) return null;
  return { runs: [...runs.values()].filter(({ files }) => files.length > 0), unfinished };
}

/** The trace is not there yet, or not packed. */
function isUnfinished(names: readonly string[]): boolean {
  const onlyMetadata = names.length > 0 && names.every((name) => name.startsWith('meta.'));
  return onlyMetadata || names.some((name) => name.endsWith('.trace.json'));
}

async function readManifest(folder: string): Promise<{ key: string; body: RunMetadata } | null> {
  try {
    const path = join(folder, 'run.json');
    if ((await stat(path)).size > MOST_MANIFEST_BYTES) return null;
    if (!(await stat(join(folder, 'files'))).isDirectory()) return null;
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isObject(manifest) || typeof manifest.key !== 'string' || !isObject(manifest.body)) return null;
    return { key: manifest.key, body: manifest.body as RunMetadata };
  } catch {
    // No recording, or one that its writer has not begun.
    return null;
  }
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
    .sort();
}

/** Names of the files that are whole and not empty. */
async function filesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.part')) continue;
    if ((await stat(join(folder, entry.name))).size > 0) names.push(entry.name);
  }
  return names.sort();
}
