const DAY = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** When a point is: a day in UTC, or a time as the clock of whoever reads it shows it. */
export function timeText({ atMs, spread }: { atMs: number; spread?: object }): string {
  return spread ? `${DAY.format(atMs)} (UTC)` : TIME.format(atMs);
}

/** A time as the clock of whoever reads it shows it. */
export const clockText = (atMs: number) => TIME.format(atMs);

/** The day in UTC of a time, YYYY-MM-DD. */
export const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
