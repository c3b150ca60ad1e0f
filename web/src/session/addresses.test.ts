import { pageToReturnTo, signInAddress } from './addresses';

describe('pageToReturnTo', () => {
  it('gives pages of teams, with what is in their address', () => {
    const to = '/t/blue-1/runs?model=a%20b&from=2026-01-01';
    const [, query] = signInAddress(to).split('?');
    expect(pageToReturnTo(new URLSearchParams(query).get('to'))).toEqual({ to, team: 'blue-1' });
    expect(pageToReturnTo('/t/blue')).toEqual({ to: '/t/blue', team: 'blue' });
  });

  it('gives nothing that could lead elsewhere', () => {
    const elsewhere = [
      'https://evil.test/t/blue/',
      '//evil.test/t/blue/',
      '/\\evil.test',
      '/sign-in',
      '/',
      '',
    ];
    for (const to of [...elsewhere, '/t/', '/t//evil.test', '/t/Blue/runs', ' /t/blue']) {
      expect(pageToReturnTo(to)).toBeNull();
    }
    expect(pageToReturnTo(null)).toBeNull();
  });
});
