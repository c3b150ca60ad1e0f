/** Each pause is so many times the one before. */
const growth = 4;
/** Up to so much more or less, so that what failed together is not tried again together. */
const jitterRatio = 0.2;

/** How long to wait after failed attempt `attempt` (the first is 1), ms. `random` is between 0 and 1. */
export function retryDelayMs(attempt: number, baseS: number, random: number): number {
  const jitter = 1 + jitterRatio * (2 * random - 1);
  return Math.round(baseS * 1000 * growth ** (attempt - 1) * jitter);
}
