import { createHash } from 'node:crypto';
import { S3Error } from '../http/s3-error';
import { type Crc, crc32, crc32c, crc64Nvme } from './crc';

function digestOf(algorithm: string): Crc {
  const hash = createHash(algorithm);
  return { update: (data) => void hash.update(data), digest: () => hash.digest() };
}

const ALGORITHMS = {
  crc32,
  crc32c,
  crc64nvme: crc64Nvme,
  sha1: () => digestOf('sha1'),
  sha256: () => digestOf('sha256'),
} as const satisfies Record<string, () => Crc>;

export type ChecksumAlgorithm = keyof typeof ALGORITHMS;

/** A checksum kept with an object or part: S3's algorithm name in lower case, base64 value. */
export interface Checksum {
  algorithm: ChecksumAlgorithm;
  value: string;
}

const PREFIX = 'x-amz-checksum-';

export function isChecksumAlgorithm(name: string): name is ChecksumAlgorithm {
  return Object.hasOwn(ALGORITHMS, name);
}

export function startChecksum(algorithm: ChecksumAlgorithm): Crc {
  return ALGORITHMS[algorithm]();
}

export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `${PREFIX}${algorithm}`;
}

/** XML element of S3's answers, such as `ChecksumCRC32`. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm.toUpperCase()}`;
}

/** What a request says about its checksum: the algorithm, and the value unless it follows in a trailer. */
export interface DeclaredChecksum {
  algorithm: ChecksumAlgorithm;
  value?: string;
  inTrailer: boolean;
}

function declaration(header: string): ChecksumAlgorithm {
  const algorithm = header.slice(PREFIX.length);
  if (!isChecksumAlgorithm(algorithm))
    throw new S3Error('NotImplemented', `Unknown checksum header ${header}.`);
  return algorithm;
}

/** The checksum that a request declares in its headers or announces as a trailer, if any; one at most. */
export function declaredChecksum(headers: ReadonlyMap<string, string>): DeclaredChecksum | undefined {
  const found: DeclaredChecksum[] = [];
  for (const [name, value] of headers) {
    // These two describe a checksum; they are none themselves.
    if (!name.startsWith(PREFIX) || name === `${PREFIX}algorithm` || name === `${PREFIX}type`) continue;
    found.push({ algorithm: declaration(name), value, inTrailer: false });
  }
  const trailer = headers.get('x-amz-trailer')?.trim().toLowerCase();
  if (trailer?.startsWith(PREFIX)) found.push({ algorithm: declaration(trailer), inTrailer: true });
  if (found.length > 1) throw new S3Error('InvalidRequest', 'Expecting a single x-amz-checksum- header.');
  return found[0];
}
