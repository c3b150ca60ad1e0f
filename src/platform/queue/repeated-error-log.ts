import { type Logger } from '@nestjs/common';

const REPEAT_AFTER_MS = 30_000;

/** Logs an error once, then again only every half minute while the same one repeats, with how often it was seen. */
export class RepeatedErrorLog {
  private lastText = '';
  private loggedAt = 0;
  private unlogged = 0;

  constructor(
    private readonly log: Logger,
    private readonly subject: string,
  ) {}

  report(error: Error): void {
    const text = error.message || ('code' in error ? String(error.code) : error.name);
    const now = Date.now();
    if (text === this.lastText && now - this.loggedAt < REPEAT_AFTER_MS) {
      this.unlogged++;
      return;
    }
    this.log.warn({ err: error, repeats: this.unlogged }, `${this.subject}: ${text}`);
    this.lastText = text;
    this.loggedAt = now;
    this.unlogged = 0;
  }
}
