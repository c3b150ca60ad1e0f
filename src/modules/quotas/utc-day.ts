const dayMs = 86_400_000;

/** Midnight in UTC at which the day of this time began. */
export function startOfUtcDay(nowMs: number): Date {
  return new Date(Math.floor(nowMs / dayMs) * dayMs);
}

/** Seconds until the next midnight in UTC: 1 to 86,400. */
export function secondsToUtcMidnight(nowMs: number): number {
  return Math.ceil((dayMs - (nowMs % dayMs)) / 1000);
}
