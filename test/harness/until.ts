import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition, and says which one did not come true. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still not: ${what}`);
    await sleep(20);
  }
}
