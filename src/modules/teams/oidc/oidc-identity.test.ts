import { toIdentity } from './oidc-identity';

const claims = {
  iss: 'https://id.test',
  sub: '7',
  email: 'Ada@Example.test',
  email_verified: true,
  name: 'Ada',
};

describe('toIdentity', () => {
  it('reads whom the provider vouches for', () => {
    expect(toIdentity(claims)).toEqual({
      issuer: 'https://id.test',
      subject: '7',
      verifiedEmail: 'ada@example.test',
      name: 'Ada',
    });
  });

  it.each([false, 'true', 'false', 1, null, undefined])(
    'takes no address that is verified %p',
    (verified) => {
      expect(toIdentity({ ...claims, email_verified: verified }).verifiedEmail).toBeUndefined();
    },
  );

  const { iss, sub } = claims;
  const old = 'old@example.test';
  const now = 'now@example.test';

  it.each([
    ['an address here, the word for it there', { email: old }, { email_verified: true }, undefined],
    ['the word here, an address there', { email_verified: true }, { email: now }, undefined],
    ['another address there', { email: old }, { email: now, email_verified: true }, now],
    [
      'the word without an address here',
      { email_verified: true },
      { email: now, email_verified: false },
      undefined,
    ],
    ['both, of which one is not verified', { email: old, email_verified: true }, { email: now }, old],
    ['an address that is none here', { email: 'x', email_verified: true }, { email: now }, undefined],
    ['all of it there', {}, { email: now, email_verified: true }, now],
    ['all of it here', { email: old, email_verified: true }, undefined, old],
  ])('never takes an address of one source on the word of the other: %s', (_, here, there, verifiedEmail) => {
    expect(toIdentity({ iss, sub, ...here }, there)).toEqual({
      ...{ issuer: iss, subject: sub, verifiedEmail, name: undefined },
    });
  });

  it('takes the name from either, and never issuer or subject from what is not signed', () => {
    const identity = toIdentity({ iss, sub }, { iss: 'https://evil.test', sub: '8', name: 'Ada' });
    expect(identity).toMatchObject({ issuer: iss, subject: sub, name: 'Ada' });
    expect(toIdentity({ iss, sub, name: 'A' }, { name: 'B' }).name).toBe('A');
  });

  it('leaves out what is not what it should be', () => {
    const odd = toIdentity({ ...claims, email: 'nonsense', name: 'A\u0000' });
    expect(odd).toMatchObject({ verifiedEmail: undefined, name: undefined });
    expect(() => toIdentity({ ...claims, sub: '' })).toThrow();
    expect(() => toIdentity(undefined)).toThrow();
  });
});
