/** Something that worker processes do again and again, such as looking for lost work. */
export interface Chore {
  /** Kebab-case; stands in the log and the metrics. */
  readonly name: string;
  /** Pause between two passes, seconds. */
  readonly intervalS: number;
  /** Whether only one process of the installation passes at a time; the runner sees to it. */
  readonly isExclusive: boolean;
  /** One pass. Give way when `passTime(signal)` says so: other chores wait for their turn. */
  pass(signal: AbortSignal): Promise<unknown>;
}
