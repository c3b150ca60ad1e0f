import { HostEventKind, NO_INDEX, type RankTimeline } from '../timeline/rank-timeline';

/** For each host event, the rows of operators around it on its thread; NO_INDEX where there is none. */
export interface EnclosingOps {
  /** Of launches and of costed operators: the innermost operator around it that has a cost. */
  costed: Int32Array;
  /** Of launches: the innermost operator around it. */
  innermost: Int32Array;
}

/** Operators that are open at the present point of the sweep, outermost first; reused for every event. */
class OpStack {
  private readonly rows: number[] = [];

  /** Forgets operators that ended by `timeNs` and returns the innermost one left. */
  topAt(timeNs: number, endNs: Float64Array): number {
    while (this.rows.length > 0 && endNs[this.rows[this.rows.length - 1]] <= timeNs) this.rows.pop();
    return this.rows.at(-1) ?? NO_INDEX;
  }

  push(row: number): void {
    this.rows.push(row);
  }
}

/**
 * Finds the operators around each launch: one sweep over the host events by start, with a stack per thread. An operator that
 * outlives the one it began in (which threads do not do, but damaged traces may) counts as inside it.
 */
export function findEnclosingOps(
  { host, threads }: RankTimeline,
  hasCost: (row: number) => boolean,
): EnclosingOps {
  const costed = new Int32Array(host.count).fill(NO_INDEX);
  const innermost = new Int32Array(host.count).fill(NO_INDEX);
  const stacks = Array.from({ length: Math.max(1, threads.length) }, () => ({
    costed: new OpStack(),
    all: new OpStack(),
  }));
  for (let row = 0; row < host.count; row++) {
    const kind = host.kind[row];
    if (kind !== HostEventKind.op && kind !== HostEventKind.runtime) continue;
    const stack = stacks[host.threadIndex[row]] ?? stacks[0];
    costed[row] = stack.costed.topAt(host.startNs[row], host.endNs);
    innermost[row] = stack.all.topAt(host.startNs[row], host.endNs);
    if (kind !== HostEventKind.op) continue;
    stack.all.push(row);
    if (hasCost(row)) stack.costed.push(row);
  }
  return { costed, innermost };
}
