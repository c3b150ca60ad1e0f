import { MAX_PLAUSIBLE_NS, NS_PER_US } from '../../units/time';
import { type RowTally } from './row-tally';
import { type Row } from './sqlite/row';

const MAX_START_NS = 2 ** 62;

/** Start and duration of rows whose first two wanted columns are `start` and `end`, in ns. Reused for each row. */
export class RowTimes {
  startUs = 0;
  /** Nanoseconds beyond `startUs`, 0 to 999. */
  startNs = 0;
  durationNs = 0;

  constructor(
    private readonly table: string,
    private readonly tally: RowTally,
  ) {}

  /** Reads the times of the row; false, and counted, when it cannot be placed. */
  read(row: Row): boolean {
    const start = row.integer(0);
    const end = row.integer(1);
    if (Number.isNaN(start)) return this.tally.rejects(row, 0, `${this.table}.start`);
    if (Number.isNaN(end)) return this.tally.rejects(row, 1, `${this.table}.end`);
    if (Math.abs(start) > MAX_START_NS) {
      this.tally.implausibleTimes++;
      return false;
    }
    if (Number.isSafeInteger(start) && Number.isSafeInteger(end)) {
      this.startUs = Math.floor(start / NS_PER_US);
      this.startNs = start - this.startUs * NS_PER_US;
      this.durationNs = end - start;
    } else {
      this.readLarge(row.bigint(0) ?? 0n, row.bigint(1) ?? 0n);
    }
    if (this.durationNs < 0) {
      this.tally.negativeDurations++;
      this.durationNs = 0;
    }
    if (this.durationNs <= MAX_PLAUSIBLE_NS) return true;
    this.tally.implausibleDurations++;
    return false;
  }

  /** A host that has run for more than 104 days counts beyond what a double holds exactly. */
  private readLarge(start: bigint, end: bigint): void {
    const perUs = BigInt(NS_PER_US);
    const rest = BigInt.asUintN(64, ((start % perUs) + perUs) % perUs);
    this.startUs = Number((start - rest) / perUs);
    this.startNs = Number(rest);
    this.durationNs = Number(end - start);
  }
}
