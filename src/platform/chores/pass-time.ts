/** Other chores wait for a pass, and so does the end of the process; what is left is for the next pass. */
const PASS_MS = 10_000;

/** Tells, as often as it is asked, whether a pass that begins now may still go on. */
export function passTime(signal: AbortSignal): () => boolean {
  const endMs = performance.now() + PASS_MS;
  return () => !signal.aborted && performance.now() < endMs;
}
