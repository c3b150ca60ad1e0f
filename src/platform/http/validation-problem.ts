import { type ZodError } from 'zod';
import { ProblemError, type ProblemItem } from '../errors';

// Hostile input can break thousands of fields; the answer stays small.
const mostItems = 50;
const longestFieldName = 200;

/** One problem that lists every field that is wrong, `body` standing for the whole. */
export function validationProblem(error: ZodError): ProblemError {
  const items = error.issues.flatMap(toItems);
  const left = items.length - mostItems;
  const detail =
    items.length === 1
      ? `${items[0].field}: ${items[0].message}`
      : `${items.length} fields are not valid${left > 0 ? `; the first ${mostItems} are listed` : ''}.`;
  return new ProblemError('validation-failed', detail, { errors: items.slice(0, mostItems) });
}

function toItems(issue: ZodError['issues'][number]): ProblemItem[] {
  const field = (path: PropertyKey[]) => path.map(String).join('.').slice(0, longestFieldName) || 'body';
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: field([...issue.path, key]), message: 'is not a known field' }));
  }
  return [{ field: field(issue.path), message: messageOf(issue) }];
}

/** The library's words, but where they do not say what to write. */
function messageOf(issue: ZodError['issues'][number]): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is missing';
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'must be a date and time with zone, such as 2026-11-30T12:00:00Z';
  if (issue.code === 'invalid_format' && issue.message === 'Invalid UUID')
    return 'must be an id, which is a UUID';
  return issue.message;
}
