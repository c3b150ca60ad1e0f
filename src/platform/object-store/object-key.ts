import { ObjectStoreError } from './object-store-error';

const MAX_KEY_BYTES = 1024;

function refuse(key: string, reason: string): never {
  const shown = key.length > 80 ? `${key.slice(0, 80)}…` : key;
  throw new ObjectStoreError('OBJECT_KEY_INVALID', `The object key ${JSON.stringify(shown)} ${reason}.`);
}

/**
 * Refuses keys that stores, proxies or HTTP clients read differently: dot segments (clients resolve them, so that a
 * presigned URL would name another object), empty segments, control characters, lone surrogates, over 1,024 bytes.
 */
export function checkKey(key: string): void {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) refuse(key, `is longer than ${MAX_KEY_BYTES} bytes`);
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(key)) refuse(key, 'has a control character or a backslash');
  if (/\p{Surrogate}/u.test(key)) refuse(key, 'is not valid Unicode');
  if (key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    refuse(key, 'has an empty segment, "." or ".."');
  }
}

/** Refuses prefixes that are not whole folders: `teams/1` would also match `teams/10/…`, and `''` everything. */
export function checkPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) refuse(prefix, 'is not a folder prefix: it must end in "/"');
  checkKey(prefix.slice(0, -1));
}
