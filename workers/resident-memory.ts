import { readFile } from 'node:fs/promises';

/** Where the system shows no page size, this is the size on the processors that Linux servers have. */
const PAGE_BYTES = 4096;

/**
 * Memory of a process in bytes, or undefined where the system does not say (anything but Linux; there only V8's own
 * bound on its heap holds). Buffers and typed arrays live outside of that heap.
 */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1];
    return Number(pages) * PAGE_BYTES;
  } catch {
    return undefined;
  }
}
