import { createHash } from 'node:crypto';
import { type Checksum } from '../payload/checksums';
import { type Segment } from './segment-files';

/** An object as its side file keeps it. */
export interface StoredObject {
  key: string;
  sizeBytes: number;
  /** Without quotes. */
  etag: string;
  /** Whole seconds, as HTTP dates are. */
  lastModifiedMs: number;
  /** Headers to give back: content type, disposition, `x-amz-meta-…` and so on. */
  headers: Record<string, string>;
  checksum?: Checksum;
  segments: Segment[];
}

/** Name of a key's side file: a hash, so that no key can name another file, be too long, or differ only in case. */
export function sideFileName(key: string): string {
  return `${createHash('sha256').update(key, 'utf8').digest('hex')}.json`;
}

/** Surrogates sort after the rest of the basic plane when text is compared by its UTF-8 bytes. */
function utf8Rank(codeUnit: number): number {
  if (codeUnit >= 0xe000) return codeUnit - 0x800;
  return codeUnit >= 0xd800 ? codeUnit + 0x2000 : codeUnit;
}

/** Order of keys in S3's lists: by UTF-8 bytes. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = utf8Rank(a.charCodeAt(i)) - utf8Rank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
