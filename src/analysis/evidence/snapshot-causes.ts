import { type MemoryReport } from './memory-schema';

/** A line of the program and what the allocator's snapshot says of it; `at` is the file with the line. */
export interface LineOfProgram {
  name: string;
  at: string;
}

/** The line that gave most of the cache back in the recorded histories, with all such calls; null when none did. */
export function cacheEmptiedBy(memory: MemoryReport | null): (LineOfProgram & { calls: number }) | null {
  const emptied = (memory?.snapshots ?? [])
    .flatMap(({ trace }) => trace ?? [])
    .filter(({ emptyCacheCount }) => (emptyCacheCount ?? 0) > 0)
    .sort((a, b) => (b.emptyCacheCount ?? 0) - (a.emptyCacheCount ?? 0));
  const site = emptied.at(0)?.emptyCacheSite;
  return site
    ? { ...lineOf(site), calls: emptied.reduce((sum, t) => sum + (t.emptyCacheCount ?? 0), 0) }
    : null;
}

/** The line that holds most memory in the fullest snapshot; null when no block has a stack. */
export function mostHeldBy(memory: MemoryReport | null): (LineOfProgram & { sizeBytes: number }) | null {
  const [fullest] = [...(memory?.snapshots ?? [])].sort((a, b) => b.allocatedBytes - a.allocatedBytes);
  const holder = fullest?.holders.find(({ site }) => site !== null);
  return holder?.site ? { ...lineOf(holder.site), sizeBytes: holder.sizeBytes } : null;
}

function lineOf({ name, file, line }: { name: string; file: string; line: number | null }): LineOfProgram {
  return { name, at: line === null ? file : `${file}:${line}` };
}
