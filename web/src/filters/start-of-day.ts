const DAY_MS = 86_400_000;

/** The time at which a day in UTC begins, some days later; what is no day goes to the API, which says so. */
export function startOfDay(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined) return undefined;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(atMs) ? day : new Date(atMs + daysLater * DAY_MS).toISOString();
}
