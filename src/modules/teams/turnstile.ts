/**
 * Lets so many pieces of work through at a time and so many wait for their turn; says no to the others at once. For work
 * that an attacker could ask for in masses.
 */
export class Turnstile {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly mostRunning: number,
    private readonly mostWaiting: number,
  ) {}

  /** The result of the work, in its turn. Throws what `refuse` gives when too many wait. */
  async pass<T>(work: () => Promise<T>, refuse: () => Error): Promise<T> {
    if (this.running < this.mostRunning) this.running++;
    else if (this.waiting.length < this.mostWaiting) {
      // Whoever leaves hands the place on, so `running` stays as it is.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else throw refuse();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
