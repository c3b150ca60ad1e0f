/** Something that worker processes do again and again, such as looking for lost work. */
export interface Chore {
  /** Kebab-case; stands in the log and the metrics. */
  readonly name: string;
  /** Pause between two passes, seconds. */
  readonly intervalS: number;
  /** One pass. Several processes may pass at once: take a lock (`Database.exclusively`) where that would do harm. */
  pass(signal: AbortSignal): Promise<unknown>;
}
