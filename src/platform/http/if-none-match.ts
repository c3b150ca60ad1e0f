/**
 * Whether an If-None-Match header names the tag, which is in its quotes. Not Express' own test, which gives up when the
 * client says no-cache.
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || header?.trim() === '*';
}
