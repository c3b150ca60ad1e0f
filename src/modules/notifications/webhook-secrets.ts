import { createHmac, hkdfSync } from 'node:crypto';

/** How long the secret before the current one signs as well, so that a receiver can be given the new one in time. */
export const secretGraceMs = 86_400_000;

const secretBytes = 32;

/** Which secrets an endpoint has. */
export interface SecretState {
  id: string;
  secretVersion: number;
  /** Since when that version is in use; null for the first. */
  secretRotatedAt: Date | null;
}

/** The signing secret of an endpoint: derived from the installation's key, so that no database holds it. */
export function deriveSecret(key: string, endpointId: string, version: number): string {
  const purpose = `stallscope webhook ${endpointId} ${version}`;
  return `whsec_${Buffer.from(hkdfSync('sha256', key, '', purpose, secretBytes)).toString('base64url')}`;
}

/** The secrets that sign now: the current one, and for a day after a rotation the one before. */
export function signingSecrets(
  key: string,
  { id, secretVersion, secretRotatedAt }: SecretState,
  now: Date,
): string[] {
  const inGrace = secretRotatedAt !== null && now.getTime() - secretRotatedAt.getTime() < secretGraceMs;
  const versions = inGrace ? [secretVersion, secretVersion - 1] : [secretVersion];
  return versions.map((version) => deriveSecret(key, id, version));
}

/** The header by which a receiver knows that a request is ours and new: `t=<seconds>,v1=<HMAC>`, a v1 per secret. */
export function signatureHeader(secrets: readonly string[], body: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
  );
  return [`t=${t}`, ...signatures].join(',');
}
