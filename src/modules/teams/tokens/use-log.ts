const intervalMs = 60_000;
const mostEntries = 10_000;

/** Remembers when the use of a token was last noted, so that it is at most once a minute. Bounded: forgets the oldest. */
export class UseLog {
  readonly #notedAt = new Map<string, number>();

  /** The time since which a stored note is fresh enough; undefined when this process noted the use since then itself. */
  start(id: string, now: Date): Date | undefined {
    const since = now.getTime() - intervalMs;
    if ((this.#notedAt.get(id) ?? -Infinity) > since) return undefined;
    this.#notedAt.delete(id);
    this.#notedAt.set(id, now.getTime());
    if (this.#notedAt.size > mostEntries) this.forget(this.#notedAt.keys().next().value as string);
    return new Date(since);
  }

  forget(id: string): void {
    this.#notedAt.delete(id);
  }
}
