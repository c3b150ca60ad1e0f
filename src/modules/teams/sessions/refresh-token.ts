import { randomBytes } from 'node:crypto';

// 43 characters of base64url; cannot be guessed, so a plain hash is enough to store it.
const entropyBytes = 32;
const refreshTokenForm = /^ssr_[A-Za-z0-9_-]{43}$/;

/** A new refresh token. It is given out once and stored only as a hash. */
export function newRefreshToken(): string {
  return `ssr_${randomBytes(entropyBytes).toString('base64url')}`;
}

/** Whether the text can be a refresh token at all. */
export function isRefreshTokenForm(text: string): boolean {
  return refreshTokenForm.test(text);
}
