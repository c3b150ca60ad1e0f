import { readFile } from 'node:fs/promises';

/**
 * Memory of a process in bytes, or undefined where the system does not say (anything but Linux; there only V8's own
 * bound on its heap holds). Buffers and typed arrays live outside of that heap.
 */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    const kib = /^VmRSS:\s*(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}
