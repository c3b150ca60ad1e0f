import { z } from 'zod';

const mostItems = 200;
const usualItems = 50;

/** The part of a query that asks for a page of a list. */
export const pageQueryShape = {
  limit: z.coerce.number().int().min(1).max(mostItems).default(usualItems),
  cursor: z.uuid().optional().describe('nextCursor of the page before.'),
};

/** The answer that is one page of a list. */
export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.uuid().nullable().describe('Pass it as cursor to get the next page; null on the last one.'),
  });

/** A page out of `limit + 1` rows: the one too many tells that there is a next page. */
export function toPage<T>(found: T[], limit: number, cursorOf: (item: T) => string) {
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? cursorOf(items[limit - 1]) : null };
}
