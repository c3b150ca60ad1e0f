import { createHash, randomBytes } from 'node:crypto';

/** Every token starts with this, so that people and secret scanners recognise one. */
export const tokenMark = 'sst_';

// 43 characters of base64url; cannot be guessed, so a plain hash is enough to store it.
const entropyBytes = 32;
const tokenForm = /^sst_[A-Za-z0-9_-]{43}$/;
const shownCharacters = tokenMark.length + 6;

/** A new token. It is shown once and never stored. */
export function newToken(): string {
  return `${tokenMark}${randomBytes(entropyBytes).toString('base64url')}`;
}

/** Whether the text can be a token at all. */
export function isTokenForm(text: string): boolean {
  return tokenForm.test(text);
}

/**
 * What is stored of a token. Looking a token up by its SHA-256 leaks nothing through time: an attacker cannot choose
 * hashes that share a beginning with the stored one without knowing the token.
 */
export function tokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** The beginning of a token, by which people tell theirs apart. */
export function shownPrefix(token: string): string {
  return token.slice(0, shownCharacters);
}
