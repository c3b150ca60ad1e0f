import { z } from 'zod';

// Control characters, lone surrogates, line separators, and what turns the direction of the text around it. Postgres
// cannot store NUL and lone surrogates; the others mislead whoever reads the text in a list or a log.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Whether a text can be shown on one line as it is, and stored. */
export function isPrintableLine(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/**
 * Text for one line from outside, 1 to `maxChars` characters long; white space around it is dropped. The type of every
 * free text that reaches the database, as a value or as a filter.
 */
export const printableLine = (maxChars: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxChars)
    .refine(isPrintableLine, 'must not contain control characters or broken Unicode');
