import { ProblemError } from '../../platform/errors';

const HEX = /^[0-9a-f]{64}$/i;

/**
 * The SHA-256 that a request declares for its body, lower-case hex: `X-Content-SHA256` (hex), `Content-Digest` of
 * RFC 9530 or `Digest` of RFC 3230 (base64). Undefined when it declares none; throws `digest-invalid`.
 */
export function declaredSha256(header: (name: string) => string | undefined): string | undefined {
  const hex = header('x-content-sha256')?.trim();
  if (hex !== undefined) {
    if (!HEX.test(hex))
      throw new ProblemError('digest-invalid', 'X-Content-SHA256 is not 64 hexadecimal digits.');
    return hex.toLowerCase();
  }
  for (const name of ['content-digest', 'digest']) {
    const value = header(name);
    // Other algorithms may stand beside it, and are not checked.
    const match = value && /(?:^|,)\s*sha-256=:?([A-Za-z0-9+/=]+):?\s*(?:,|$)/i.exec(value);
    if (!match) continue;
    const bytes = Buffer.from(match[1], 'base64');
    if (bytes.length !== 32)
      throw new ProblemError('digest-invalid', `The SHA-256 in ${name} has not 32 bytes.`);
    return bytes.toString('hex');
  }
  return undefined;
}
