import { readFile, rename, writeFile } from 'node:fs/promises';

/** Replaces a JSON file in one step: readers see the old or the new content, never a part. `scratch` is on the same disk. */
export async function writeJsonAtomically(path: string, value: unknown, scratch: string): Promise<void> {
  await writeFile(scratch, JSON.stringify(value), { flag: 'wx' });
  await rename(scratch, path);
}

/** Reads what `writeJsonAtomically` wrote; the server is the only writer of its folder, so the shape is trusted. */
export async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
