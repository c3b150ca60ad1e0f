import { ownText } from '../own-text';

/** A name that is this much rarer than the name it ends with is that name with output stuck to it. */
const RARER = 10;
/** A domain name is no longer. */
const MAX_NAME_CHARS = 253;

/**
 * Names of the machines. When output without a line end precedes a message, its end sticks to the name (`0node1` for
 * `node1`); such names are rare beside the true one.
 */
export class HostNames {
  private readonly seen = new Map<string, { times: number; pids: Set<number> }>();
  /** Of the names seen: with them, the names that another one ends with are found without a look at all. */
  private readonly lengths = new Set<number>();

  /** Names and processes that are told apart at most. */
  constructor(private readonly limit: number) {}

  add(host: string, pid: number): void {
    let known = this.seen.get(host);
    if (!known) {
      if (this.seen.size >= this.limit) return;
      known = { times: 0, pids: new Set<number>() };
      this.seen.set(ownText(host), known);
      if (host.length > 0 && host.length <= MAX_NAME_CHARS) this.lengths.add(host.length);
    }
    known.times++;
    if (known.pids.size < this.limit) known.pids.add(pid);
  }

  trueName(host: string): string {
    let best = host;
    let mostTimes = Math.max(1, RARER * (this.seen.get(host)?.times ?? 0)) - 1;
    for (const length of this.lengths) {
      if (length >= host.length) continue;
      const end = host.slice(-length);
      const times = this.seen.get(end)?.times ?? 0;
      if (times <= mostTimes) continue;
      best = end;
      mostTimes = times;
    }
    return best === host ? host : ownText(best);
  }

  /** Processes by machine. */
  processes(): Map<string, Set<number>> {
    const byHost = new Map<string, Set<number>>();
    for (const [name, { pids }] of this.seen) {
      const host = this.trueName(name);
      const known = byHost.get(host) ?? new Set();
      for (const pid of pids) known.add(pid);
      byHost.set(host, known);
    }
    return byHost;
  }
}
