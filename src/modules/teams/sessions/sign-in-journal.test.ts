import { maskEmail } from './sign-in-journal';

describe('maskEmail', () => {
  it.each([
    ['ada@example.test', 'a***@example.test'],
    ['"a@b"@example.test', '"***@example.test'],
    ['a password', '***'],
    ['@example.test', '***'],
    ['', '***'],
  ])('shows %p as %p', (email, shown) => {
    expect(maskEmail(email)).toBe(shown);
  });
});
