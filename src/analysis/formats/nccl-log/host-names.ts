/**
 * Names of the processes' machines. When program output without a line end precedes a message, its end sticks to the
 * name (`0node1` for `node1`); the shortest name of a process that others end with is the true one.
 */
export class HostNames {
  private readonly byPid = new Map<number, Set<string>>();
  private count = 0;

  constructor(private readonly limit: number) {}

  add(host: string, pid: number): void {
    const names = this.byPid.get(pid) ?? new Set<string>();
    if (names.has(host) || this.count >= this.limit) return;
    this.count++;
    names.add(host);
    this.byPid.set(pid, names);
  }

  trueName(host: string, pid: number): string {
    const shorter = [...(this.byPid.get(pid) ?? [])].filter((name) => name !== '' && host.endsWith(name));
    return shorter.sort((a, b) => a.length - b.length).at(0) ?? host;
  }

  /** Machines and processes, without doubles. */
  list(): { host: string; pid: number }[] {
    const all = [...this.byPid].flatMap(([pid, names]) =>
      [...names].map((host) => ({ host: this.trueName(host, pid), pid })),
    );
    return [...new Map(all.map((one) => [`${one.host}:${one.pid}`, one])).values()];
  }
}
