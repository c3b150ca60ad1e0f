import { isTokenForm, newToken, shownPrefix, tokenHash } from './api-token';
import { isScope, knownScopes, scopes, scopesOfRole } from '../principal';

describe('API tokens', () => {
  it('have one form, and 256 bits that differ', () => {
    const tokens = Array.from({ length: 100 }, newToken);
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) expect(isTokenForm(token)).toBe(true);
  });

  it.each([
    '',
    'sst_',
    `sst_${'a'.repeat(42)}`,
    `sst_${'a'.repeat(44)}`,
    `sst_${'!'.repeat(43)}`,
    `SST_${'a'.repeat(43)}`,
  ])('do not look like %j', (text) => {
    expect(isTokenForm(text)).toBe(false);
  });

  it('show too little of themselves to be guessed', () => {
    const token = newToken();
    expect(token.startsWith(shownPrefix(token))).toBe(true);
    expect(shownPrefix(token)).toHaveLength(10);
    expect(tokenHash(token)).toHaveLength(32);
  });
});

describe('scopes', () => {
  it('shrink from owner to viewer', () => {
    const counts = (['owner', 'admin', 'member', 'viewer'] as const).map((role) => scopesOfRole[role].length);
    expect(counts).toEqual([4, 4, 3, 1]);
    expect(scopesOfRole.member).not.toContain('admin');
  });

  it('are dropped when this release does not know them', () => {
    expect(knownScopes(['admin', 'from:the-future'])).toEqual(['admin']);
    expect([...scopes].every(isScope)).toBe(true);
    expect(isScope('runs')).toBe(false);
  });
});
