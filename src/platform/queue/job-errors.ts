/** Thrown by a handler when trying again cannot help: the job fails at once and is not retried. */
export class PermanentJobError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentJobError';
  }
}

/** Thrown by a handler to hand the job back: it is taken again after the delay, and no attempt is counted. */
export class PostponeJobError extends Error {
  constructor(
    readonly delayMs: number,
    reason: string,
  ) {
    super(reason);
    this.name = 'PostponeJobError';
  }
}

/** The queue's server did not answer in time or refused the connection. Nothing says whether the call took effect. */
export class QueueUnavailableError extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`The job queue did not answer: ${what}`, options);
    this.name = 'QueueUnavailableError';
  }
}
