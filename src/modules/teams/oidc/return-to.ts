import { z } from 'zod';

const longestReturnTo = 2_000;
/** Any origin: what is not a path leads away from it. */
const somewhere = 'https://somewhere.invalid';

/**
 * Whether a browser that is on a page of ours and is sent to the text stays with us. Browsers take `\` for `/` and leave
 * out tabs and line breaks, so the parser of browsers decides, and what it would have to mend is refused.
 */
export function isLocalPath(text: string): boolean {
  if (!/^\/(?![/\\])[^\\\s\p{Cc}\p{Cs}]*$/u.test(text) || text.length > longestReturnTo) return false;
  if (!URL.canParse(text, somewhere)) return false;
  const { origin, pathname } = new URL(text, somewhere);
  return origin === somewhere && !pathname.startsWith('//');
}

/** A page of the web application to go to after signing in. */
export const returnTo = z
  .string()
  .max(longestReturnTo)
  .refine(isLocalPath, 'must be a path on this server, such as /runs');
