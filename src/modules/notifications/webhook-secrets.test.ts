import { createHmac } from 'node:crypto';
import { deriveSecret, secretGraceMs, signatureHeader, signingSecrets } from './webhook-secrets';

const key = 'k'.repeat(32);
const id = '0190e8f1-0000-7000-8000-000000000001';
const now = new Date('2026-11-30T12:00:00.900Z');

describe('the signing secrets of a webhook', () => {
  it('differ by key, endpoint and version, and stay the same', () => {
    const secrets = [
      deriveSecret(key, id, 1),
      deriveSecret(key, id, 2),
      deriveSecret(key, `${id} 2`, 1),
      deriveSecret('other'.repeat(8), id, 1),
    ];
    expect(new Set(secrets).size).toBe(4);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(deriveSecret(key, id, 1)).toBe(secrets[0]);
  });

  it('are two for a day after a rotation', () => {
    const at = (ms: number) => new Date(now.getTime() - ms);
    const versions = (secretVersion: number, secretRotatedAt: Date | null) =>
      signingSecrets(key, { id, secretVersion, secretRotatedAt }, now);
    expect(versions(1, null)).toEqual([deriveSecret(key, id, 1)]);
    expect(versions(3, at(secretGraceMs - 1))).toEqual(
      [3, 2].map((version) => deriveSecret(key, id, version)),
    );
    expect(versions(3, at(secretGraceMs))).toEqual([deriveSecret(key, id, 3)]);
  });
});

describe('signatureHeader', () => {
  it('signs time and body with each secret', () => {
    const mac = (secret: string) => createHmac('sha256', secret).update('1796040000.{"a":"ü"}').digest('hex');
    expect(signatureHeader(['s1', 's2'], '{"a":"ü"}', now)).toBe(
      `t=1796040000,v1=${mac('s1')},v1=${mac('s2')}`,
    );
  });
});
