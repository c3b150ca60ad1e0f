import { type NameLookup } from './name-lookup';

/** Directions by `CUDA_MEMCPY_KIND_…`; the last three are of unified memory. */
const DIRECTIONS = [
  'Unknown',
  'HtoD',
  'DtoH',
  'HtoA',
  'AtoH',
  'AtoA',
  'AtoD',
  'DtoA',
  'DtoD',
  'HtoH',
  'PtoP',
  'HtoD',
  'DtoH',
  'DtoD',
];
/** Kinds of memory by `CUDA_MEMOPR_MEMORY_KIND_…`. */
const MEMORY = [
  'Pageable',
  'Pinned',
  'Device',
  'Array',
  'Managed',
  'Device Static',
  'Managed Static',
  'Unknown',
];

/** Names of copies and memsets, which an export gives as numbers, in the words of other profilers. */
export class CopyNames {
  private readonly known = new Map<string, number>();

  constructor(private readonly names: NameLookup) {}

  /** Such as `Memcpy HtoD (Pageable -> Device)`; the kinds of memory are left out when the file does not say them. */
  copy(direction: number, source: number, target: number): number {
    const from = nameOf(MEMORY, source);
    const to = nameOf(MEMORY, target);
    const kinds = from && to ? ` (${from} -> ${to})` : '';
    return this.intern(`Memcpy ${nameOf(DIRECTIONS, direction) ?? 'Unknown'}${kinds}`);
  }

  set(kind: number): number {
    return this.intern(`Memset (${Number.isNaN(kind) ? 'Device' : (nameOf(MEMORY, kind) ?? 'Unknown')})`);
  }

  private intern(name: string): number {
    let id = this.known.get(name);
    if (id === undefined) this.known.set(name, (id = this.names.intern(name)));
    return id;
  }
}

/** The name of this number; undefined when there is no number, or no such one. */
function nameOf(names: readonly string[], number: number): string | undefined {
  return names[number];
}
