import { isLocalPath } from './return-to';

describe('isLocalPath', () => {
  it.each([
    '/',
    '/runs',
    '/runs?state=done&x=%2F%2Fevil.test#top',
    '/a/b//c',
    '/@evil.test',
    '/runs/https://evil.test',
  ])('allows %p', (path) => {
    expect(isLocalPath(path)).toBe(true);
  });

  it.each([
    ...['', 'runs', 'https://evil.test', 'https:evil.test', 'https:/evil.test', 'javascript:alert(1)'],
    ...['//evil.test', '///evil.test', '/\\evil.test', '\\\\evil.test', '\\/evil.test', '/runs\\evil'],
    ...['/\t/evil.test', '/\n/evil.test', ' //evil.test', '/ /evil.test', '\u0000/x', '/\u007f'],
    ...['/.//evil.test', '/./\\evil.test', '/a/..//evil.test', '/%2e//evil.test', '@evil.test', '?x', '#x'],
    `/${'x'.repeat(2_000)}`,
  ])('refuses %p', (path) => {
    expect(isLocalPath(path)).toBe(false);
  });
});
