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

  it('leaves out what is not what it should be', () => {
    const odd = toIdentity({ ...claims, email: 'nonsense', name: 'A\u0000' });
    expect(odd).toMatchObject({ verifiedEmail: undefined, name: undefined });
    expect(() => toIdentity({ ...claims, sub: '' })).toThrow();
    expect(() => toIdentity(undefined)).toThrow();
  });
});
