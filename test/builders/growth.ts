const REPEATS = 4;
/** Times below this are those of the timer and of compiling, not of the work. */
const LEAST_MS = 5;

/**
 * How many times longer work takes on an input eight times as large: about 8 when it is linear, 64 when it is quadratic.
 * The best of some repeats, in turns, so that a machine that is busy with others slows both.
 */
export async function growthOverEightfold(work: (size: number) => unknown, size: number): Promise<number> {
  const best = { small: Infinity, large: Infinity };
  const time = async (of: keyof typeof best, inputSize: number) => {
    const startedMs = performance.now();
    await work(inputSize);
    best[of] = Math.min(best[of], performance.now() - startedMs);
  };
  for (let i = 0; i < REPEATS; i++) {
    await time('small', size);
    await time('large', 8 * size);
  }
  return best.large / Math.max(LEAST_MS, best.small);
}

/** Well above linear growth with the noise of a busy machine, well below quadratic growth. */
export const LINEAR_GROWTH = 36;
