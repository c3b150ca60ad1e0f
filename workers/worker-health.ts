import { Logger } from '@nestjs/common';
import { type ChoreHealth } from '../src/platform/chores';
import { type ConsumerHealth } from '../src/platform/queue';

/** How this process is doing, as its parts say. */
export interface WorkerParts {
  consumers(): readonly ConsumerHealth[];
  chores(): readonly ChoreHealth[];
  /** Jobs that wait in a queue. */
  waiting(job: string): Promise<number>;
  /** Longest time of one handler, seconds. */
  longestS(job: string): number;
  /** What of database, queue and object store does not answer. */
  missingServers(): Promise<readonly string[]>;
}

/** A chore may miss this many of its passes before it looks stuck. */
const MISSED_PASSES = 3;
const LONGEST_LOOK_MS = 5_000;

/**
 * Finds out that this process is stuck. What looks stuck may be a coincidence, so it counts only when it has looked so for
 * `graceS`, at every look and with all servers answering: starting a process again mends no server.
 */
export class WorkerHealth {
  private readonly log = new Logger(WorkerHealth.name);
  private readonly suspectedSinceMs = new Map<string, number>();
  private readonly takenAtLastLook = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly parts: WorkerParts,
    private readonly graceS: number,
  ) {}

  /** Looks again and again until `stop`. */
  start(): void {
    const everyMs = Math.min(LONGEST_LOOK_MS, (this.graceS * 1000) / 4);
    const next = () => {
      if (!this.stopped) this.timer = setTimeout(() => void this.look(Date.now()).finally(next), everyMs);
    };
    next();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** What is stuck, in words; nothing when the process is well. */
  stuck(nowMs: number): string[] {
    const since = [...this.suspectedSinceMs];
    return since.filter(([, sinceMs]) => nowMs - sinceMs > this.graceS * 1000).map(([what]) => what);
  }

  /** One look. Never throws. */
  async look(nowMs: number): Promise<void> {
    const suspects = await this.suspects(nowMs).catch((error: unknown): string[] => {
      this.log.warn({ err: error }, 'whether this process is stuck could not be found out');
      return [];
    });
    for (const what of this.suspectedSinceMs.keys()) {
      if (!suspects.includes(what)) this.suspectedSinceMs.delete(what);
    }
    for (const what of suspects) {
      if (this.suspectedSinceMs.has(what)) continue;
      this.suspectedSinceMs.set(what, nowMs);
      this.log.warn({ what, graceS: this.graceS }, 'this process looks stuck');
    }
  }

  private async suspects(nowMs: number): Promise<string[]> {
    if ((await this.parts.missingServers()).length > 0) return [];
    const suspects = this.parts.chores().filter((chore) => isLate(chore, nowMs));
    const words = suspects.map(({ name }) => `the chore ${name} does not come to an end`);
    for (const { job, concurrency, runningSinceMs, taken } of this.parts.consumers()) {
      const longestMs = this.parts.longestS(job) * 1000;
      if (runningSinceMs.some((sinceMs) => nowMs - sinceMs > longestMs)) {
        words.push(`a handler of ${job} is at work for longer than it may be`);
      }
      const idle = runningSinceMs.length < concurrency && this.takenAtLastLook.get(job) === taken;
      this.takenAtLastLook.set(job, taken);
      if (idle && (await this.parts.waiting(job)) > 0)
        words.push(`no jobs of ${job} are taken, and some wait`);
    }
    return words;
  }
}

/**
 * Late: a pass that hangs, or a chore that went well in this process and no longer does. One that never went well is for
 * the alerts: starting again would not help it, and would end the analyses that are going on.
 */
function isLate({ intervalS, succeededAtMs, runningSinceMs }: ChoreHealth, nowMs: number): boolean {
  const lateMs = MISSED_PASSES * intervalS * 1000;
  return [succeededAtMs, runningSinceMs].some((sinceMs) => sinceMs !== undefined && nowMs - sinceMs > lateMs);
}
