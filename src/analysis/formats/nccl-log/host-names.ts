/** A name that is this much rarer than the name it ends with is that name with output stuck to it. */
const RARER = 10;

/**
 * Names of the machines. When output without a line end precedes a message, its end sticks to the name (`0node1` for
 * `node1`); such names are rare beside the true one.
 */
export class HostNames {
  private readonly seen = new Map<string, { times: number; pids: Set<number> }>();

  /** Names and processes that are told apart at most. */
  constructor(private readonly limit: number) {}

  add(host: string, pid: number): void {
    const known = this.seen.get(host) ?? { times: 0, pids: new Set<number>() };
    known.times++;
    if (known.pids.size < this.limit) known.pids.add(pid);
    if (known.times > 1 || this.seen.size < this.limit) this.seen.set(host, known);
  }

  trueName(host: string): string {
    const times = this.seen.get(host)?.times ?? 0;
    const names = [...this.seen].filter(
      ([name, other]) => name !== '' && host.endsWith(name) && other.times >= RARER * times && name !== host,
    );
    return names.sort(([, a], [, b]) => b.times - a.times).at(0)?.[0] ?? host;
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
