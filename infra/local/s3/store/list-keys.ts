import { compareKeys } from './stored-object';

/** What to list. `after` is exclusive; with `afterIsPrefix` everything that begins with it is skipped as well. */
export interface ListQuery {
  prefix: string;
  delimiter: string;
  after: string;
  afterIsPrefix: boolean;
  maxKeys: number;
}

/** A key, or a common prefix that stands for all keys under it. */
export interface ListEntry {
  name: string;
  isPrefix: boolean;
}

function firstAfter(keys: readonly string[], name: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(keys[middle], name) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One page of S3's listing over sorted keys: prefix filter, grouping at the delimiter, at most `maxKeys` entries. */
export function listKeys(
  keys: readonly string[],
  query: ListQuery,
): { entries: ListEntry[]; truncated: boolean } {
  const { prefix, delimiter, after, afterIsPrefix, maxKeys } = query;
  const entries: ListEntry[] = [];
  const skip = (key: string) => compareKeys(key, prefix) < 0 || (afterIsPrefix && key.startsWith(after));
  for (let i = after === '' ? 0 : firstAfter(keys, after); i < keys.length; i++) {
    const key = keys[i];
    if (skip(key)) continue;
    if (!key.startsWith(prefix)) break;
    const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const name = cut === -1 ? key : key.slice(0, cut + delimiter.length);
    const last = entries[entries.length - 1];
    if (cut !== -1 && last?.isPrefix && last.name === name) continue;
    if (entries.length >= maxKeys) return { entries, truncated: maxKeys > 0 };
    entries.push({ name, isPrefix: cut !== -1 });
  }
  return { entries, truncated: false };
}
