import { z } from 'zod';

const firstYear = 1970;
const lastYear = 9999;

/**
 * A time from outside, with its offset, as a Date: the type of every time that reaches the database. Postgres has no year 0,
 * and a year of five digits is not written as others are.
 */
export const pointInTime = z.iso.datetime({ offset: true }).transform((text, context) => {
  const time = new Date(text);
  const year = time.getUTCFullYear();
  if (year >= firstYear && year <= lastYear) return time;
  context.addIssue({
    code: 'custom',
    message: `must be in the years ${firstYear} to ${lastYear} of UTC`,
  });
  return z.NEVER;
});
