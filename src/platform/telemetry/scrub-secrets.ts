/** Names of fields and headers whose value is a secret, also behind a prefix: newPassword, x-access-token, set-cookie. */
const SECRET_NAMES =
  '[\\w-]*(?:password|password[_-]?hash|secret|token|authorization|cookies?|secret[_-]?access[_-]?key|signature|code[_-]?verifier)';
const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const ESCAPED_STRING = '\\\\"(?:(?!\\\\").)*\\\\"';

/** What must not reach a log, wherever in a line it stands: in a field, a URL, an error message or a stack. */
const secrets: readonly (readonly [RegExp, string])[] = [
  // Fields of JSON at any depth, also of JSON inside a text.
  [
    new RegExp(`("${SECRET_NAMES}"\\s*:\\s*)(?:${STRING}|\\[[^\\]{}]*\\]|-?\\d[\\d.eE+-]*)`, 'gi'),
    '$1"[redacted]"',
  ],
  [new RegExp(`(\\\\"${SECRET_NAMES}\\\\"\\s*:\\s*)${ESCAPED_STRING}`, 'gi'), '$1\\"[redacted]\\"'],
  // Headers in a text.
  [/\b((?:set-)?cookie|(?:proxy-)?authorization)(\s*[:=]\s*)[^"\\\r\n]+/gi, '$1$2[redacted]'],
  // Presigned URLs: signature, credential and session token; also as encoded inside another URL.
  [/(X-Amz-(?:Signature|Credential|Security-Token)(?:=|%3D))[^&\s"'\\<>]+/gi, '$1[redacted]'],
  [/([?&](?:code|state|nonce|sig|signature|password|secret|[a-z_]*token)=)[^&\s"'\\<>]+/gi, '$1[redacted]'],
  // API tokens, refresh tokens, invitations, webhook secrets, access tokens, and anything given as a bearer.
  [/\b(ss[a-z]_|whsec_)[A-Za-z0-9_+/=-]{8,}/g, '$1[redacted]'],
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g, '[redacted jwt]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, '$1 [redacted]'],
  // Passwords of connection strings.
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:@/"'\\]*):[^\s@/"'\\]+@/gi, '$1:[redacted]@'],
];

/** The text without secrets that are recognised by their name or their form. */
export function scrubSecrets(text: string): string {
  return secrets.reduce((scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement), text);
}
