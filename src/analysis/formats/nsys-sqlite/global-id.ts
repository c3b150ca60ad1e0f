import { type Row } from './sqlite/row';

/** Ids of a host's processes and threads have 24 bits each; above them are those of the machine. */
const PER_PROCESS = 2 ** 24;

/** `globalPid` and `globalTid`: the process with its machine, and the thread. Reused for each row. */
export class GlobalId {
  /** Machine and process id in one number. */
  process = 0;
  thread = 0;

  /** Reads the id; false when the column holds none. */
  read(row: Row, slot: number): boolean {
    const value = row.integer(slot);
    if (Number.isNaN(value)) return false;
    if (Number.isSafeInteger(value) && value >= 0) {
      this.process = Math.floor(value / PER_PROCESS);
      this.thread = value % PER_PROCESS;
      return true;
    }
    const exact = BigInt.asUintN(64, row.bigint(slot) ?? 0n);
    this.process = Number(exact / BigInt(PER_PROCESS));
    this.thread = Number(exact % BigInt(PER_PROCESS));
    return true;
  }
}

/** The process id as the operating system gave it. */
export function processIdOf(process: number): number {
  return process % PER_PROCESS;
}
