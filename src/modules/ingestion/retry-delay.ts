const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/** How long a run is held back after an attempt that failed, ms: twice as long as before that attempt, within bounds. */
export function retryDelayMs(heldBackMs: number): number {
  return Math.min(LONGEST_DELAY_MS, Math.max(FIRST_DELAY_MS, 2 * heldBackMs));
}
