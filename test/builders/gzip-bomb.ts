import { gzipSync } from 'node:zlib';

/**
 * A gzip file of about a thousandth of the size that it unpacks to: `head`, then `unpackedBytes` of one byte, as one
 * member a 64 MiB.
 */
export function gzipBomb(unpackedBytes: number, filler: number, head = ''): Buffer {
  const memberBytes = 64 * 2 ** 20;
  const member = gzipSync(Buffer.alloc(memberBytes, filler));
  const members = Array.from({ length: Math.ceil(unpackedBytes / memberBytes) }, () => member);
  return Buffer.concat([...(head ? [gzipSync(head)] : []), ...members]);
}
