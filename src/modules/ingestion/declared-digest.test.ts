import { createHash } from 'node:crypto';
import { declaredSha256 } from './declared-digest';

const hash = createHash('sha256').update('hello');
const hex = hash.copy().digest('hex');
const base64 = hash.copy().digest('base64');
const of = (headers: Record<string, string>) => declaredSha256((name) => headers[name]);

describe('declared checksums', () => {
  it.each([
    [{ 'x-content-sha256': hex }],
    [{ 'x-content-sha256': ` ${hex.toUpperCase()} ` }],
    [{ 'content-digest': `sha-256=:${base64}:` }],
    [{ digest: `SHA-256=${base64}` }],
    [{ digest: `md5=abc==, sha-256=${base64}` }],
  ])('reads %j', (headers) => {
    expect(of(headers as Record<string, string>)).toBe(hex);
  });

  it('is undefined when there is none', () => {
    expect(of({})).toBeUndefined();
    expect(of({ digest: 'md5=abc==' })).toBeUndefined();
  });

  it.each([[{ 'x-content-sha256': 'abc' }], [{ digest: 'sha-256=YWJj' }]])('refuses %j', (headers) => {
    expect(() => of(headers as Record<string, string>)).toThrow('digest-invalid');
  });
});
