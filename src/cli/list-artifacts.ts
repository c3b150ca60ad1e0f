import { createReadStream } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type ArtifactInput } from '../analysis';
import { type DecompressionLimits, openArtifactBytes } from '../platform/decompression';
import { type LocalFile } from './client/local-file';
import { UsageError } from './usage-error';

/** Files in one run's folder; a run has a few per rank. */
const MAX_FILES = 16_384;
const MAX_DEPTH = 4;
const READ_BYTES = 262_144;
const RANK_FOLDER = /^rank[_-]?(\d{1,9})$/i;

/**
 * The files at a path: the file itself, or every file in the folder and below, by name. Symbolic links inside a folder
 * are not followed.
 *
 * @throws UsageError when the path does not exist or holds no files
 */
export async function listFiles(path: string): Promise<LocalFile[]> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT'
        ? `${path}: no such file or folder.`
        : `${path}: cannot be read (${error.code ?? error.message}).`,
    );
  });
  if (info.isFile()) return [{ path, name: basename(path) }];
  if (!info.isDirectory()) throw new UsageError(`${path}: neither a file nor a folder.`);
  const files: string[] = [];
  await collect(path, 0, files);
  if (files.length === 0)
    throw new UsageError(`${path}: the folder holds no files; give a profiler trace or a run's folder.`);
  refuseSeveralRuns(path, files);
  return files.map((file) => ({ path: file, name: relative(path, file).split(sep).join('/') }));
}

/**
 * A run names its files apart; the same name in two folders, such as rank0.pt.trace.json.gz, is two runs, unless the folders
 * are called after two ranks.
 */
function refuseSeveralRuns(path: string, files: readonly string[]): void {
  const folderOf = new Map<string, string>();
  for (const file of files) {
    const folder = relative(path, dirname(file));
    const key = JSON.stringify([basename(file), rankOf(folder)]);
    const other = folderOf.get(key);
    if (other !== undefined)
      throw new UsageError(
        `${path}: more than one run, since ${basename(file)} is in ${other || '.'} and in ${folder}; name the folder of one run.`,
      );
    folderOf.set(key, folder);
  }
}

/** The rank after which a folder is called, or one above it. */
function rankOf(folder: string): number | null {
  const ranks = folder.split(sep).flatMap((name) => RANK_FOLDER.exec(name)?.[1] ?? []);
  return ranks.length > 0 ? Number(ranks.at(-1)) : null;
}

/** The same files, opened for the analysis. */
export async function listArtifacts(path: string, limits: DecompressionLimits): Promise<ArtifactInput[]> {
  return (await listFiles(path)).map((file) => ({
    path: file.name,
    open: () => openArtifactBytes(createReadStream(file.path, { highWaterMark: READ_BYTES }), limits),
  }));
}

async function collect(folder: string, depth: number, files: string[]): Promise<void> {
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const info = await lstat(path);
    if (info.isFile()) files.push(path);
    else if (info.isDirectory() && depth < MAX_DEPTH) await collect(path, depth + 1, files);
    if (files.length > MAX_FILES)
      throw new UsageError(`${folder}: more than ${MAX_FILES} files; give the folder of one run.`);
  }
}
