import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../database';
import { type Chore } from './chore';

/** An exclusive chore holds one connection for its lock beside those of its work: together they leave room for the jobs. */
const EXCLUSIVE_AT_A_TIME = 2;
/** How long the end of the process waits for passes that are going on; what hangs longer is left alone. */
const STOP_GRACE_MS = 5_000;

/** How a chore is doing. */
export interface ChoreHealth {
  name: string;
  intervalS: number;
  /** When a pass last ended well, ms since the epoch; undefined before the first. */
  succeededAtMs: number | undefined;
  /** When the pass that is going on began; undefined between two passes. */
  runningSinceMs: number | undefined;
}

/** Does chores at their intervals, each for itself: one that fails holds up no other. */
@Injectable()
export class ChoreRunner implements OnApplicationShutdown {
  private readonly log = new Logger(ChoreRunner.name);
  private readonly stopping = new AbortController();
  private readonly healths = new Map<string, ChoreHealth>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly passes = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private free = EXCLUSIVE_AT_A_TIME;

  constructor(private readonly database: Database) {}

  /** Starts a chore, its first pass at once. Throws Error for a second chore of one name. */
  start(chore: Chore): void {
    const { name, intervalS } = chore;
    if (this.healths.has(name)) throw new Error(`There are two chores named ${name}.`);
    const health: ChoreHealth = { name, intervalS, succeededAtMs: undefined, runningSinceMs: undefined };
    this.healths.set(name, health);
    const run = () => {
      const pass = this.pass(chore, health).then(() => {
        if (!this.stopping.signal.aborted) this.timers.set(name, setTimeout(run, intervalS * 1000));
      });
      this.passes.set(name, pass);
    };
    this.timers.set(name, setTimeout(run, 0));
  }

  /** How every chore is doing, for health checks and metrics. */
  health(): readonly ChoreHealth[] {
    return [...this.healths.values()];
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers.values()) clearTimeout(timer);
    let late: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      late = setTimeout(resolve, STOP_GRACE_MS);
    });
    await Promise.race([Promise.allSettled(this.passes.values()), grace]);
    clearTimeout(late);
  }

  private async pass(chore: Chore, health: ChoreHealth): Promise<void> {
    try {
      if (chore.isExclusive) await this.inTurn(() => this.alone(chore, health));
      else await this.work(chore, health);
      health.succeededAtMs = Date.now();
    } catch (error) {
      this.log.warn({ err: error, chore: chore.name }, 'a pass of a chore failed; it comes again');
    } finally {
      health.runningSinceMs = undefined;
    }
  }

  /** Nothing is done while another process is at it. */
  private async alone(chore: Chore, health: ChoreHealth): Promise<void> {
    await this.database.exclusively(`stallscope:chore:${chore.name}`, () => this.work(chore, health));
  }

  private async work(chore: Chore, health: ChoreHealth): Promise<void> {
    health.runningSinceMs = Date.now();
    if (!this.stopping.signal.aborted) await chore.pass(this.stopping.signal);
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free--;
    try {
      await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
