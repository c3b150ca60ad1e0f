import { randomBytes } from 'node:crypto';

// 43 characters of base64url; cannot be guessed, so a plain hash is enough to store it.
const entropyBytes = 32;

/** Secrets that begin alike, so that people and secret scanners tell what they are. */
export interface SecretKind {
  /** A new secret. It is given out once and stored as `tokenHash` only. */
  create(): string;
  /** Whether the text can be such a secret at all. */
  isForm(text: string): boolean;
}

/** `mark` is made of letters and `_`. */
export function secretKind(mark: string): SecretKind {
  const form = new RegExp(`^${mark}[A-Za-z0-9_-]{43}$`);
  return {
    create: () => `${mark}${randomBytes(entropyBytes).toString('base64url')}`,
    isForm: (text) => form.test(text),
  };
}
