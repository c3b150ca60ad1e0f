const dayMs = 86_400_000;

/** Seconds until the next midnight in UTC: 1 to 86,400. */
export function secondsToUtcMidnight(nowMs: number): number {
  return Math.ceil((dayMs - (nowMs % dayMs)) / 1000);
}
