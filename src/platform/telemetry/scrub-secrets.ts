/** What must not reach a log, wherever in a line it stands: in a URL, an error message or a stack. */
const secrets: readonly (readonly [RegExp, string])[] = [
  // Presigned URLs: signature, credential and session token; also as encoded inside another URL.
  [/(X-Amz-(?:Signature|Credential|Security-Token)(?:=|%3D))[^&\s"'\\<>]+/gi, '$1[redacted]'],
  // API tokens, refresh tokens, invitations, webhook secrets, access tokens, and anything given as a bearer.
  [/\b(ss[tri]_|whsec_)[A-Za-z0-9_-]{8,}/g, '$1[redacted]'],
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, '[redacted jwt]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, '$1 [redacted]'],
  // Passwords of connection strings.
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:@/"'\\]*):[^\s@/"'\\]+@/gi, '$1:[redacted]@'],
];

/** The text without secrets that are recognised by their form. */
export function scrubSecrets(text: string): string {
  return secrets.reduce((scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement), text);
}
