import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ProblemError } from '../errors';

const fingerprintChars = 16;

/** The query parameter of a cursor; longer than any that we give out is none. */
export const cursorParameter = z
  .string()
  .regex(/^[\w-]{1,2048}$/, 'must be nextCursor of the page before, as it was given')
  .describe('nextCursor of the page before; the other parameters must be the same, but for limit.');

/**
 * Where the next page of a list starts, as text that clients hand back as it is: the place, and a fingerprint of the
 * question that the list answers. It protects nothing: whoever makes one up sees what their own team has, elsewhere.
 */
export function encodeCursor(place: unknown, question: unknown): string {
  return Buffer.from(JSON.stringify([fingerprintOf(question), place])).toString('base64url');
}

/** The place in a cursor. Throws `cursor-invalid` when it is none of ours, or was given for another question. */
export function decodeCursor<T>(text: string, question: unknown, place: z.ZodType<T>): T {
  const parsed = parse(text);
  const found = place.safeParse(Array.isArray(parsed) && parsed.length === 2 ? parsed[1] : undefined);
  if (!found.success) throw new ProblemError('cursor-invalid', 'The cursor is not one that was given out.');
  if ((parsed as unknown[])[0] !== fingerprintOf(question)) {
    throw new ProblemError('cursor-invalid', 'The cursor was given for other filters or another order.');
  }
  return found.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function fingerprintOf(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, fingerprintChars);
}
