import { NO_ID } from '../../timeline/rank-timeline';
import { type NameLookup } from './name-lookup';
import { type ProcessTable } from './process-events';
import { type RowTally } from './row-tally';
import { type Database } from './sqlite/database';
import { type Row } from './sqlite/row';

/** What the readers of the tables share. */
export interface NsysReader {
  database: Database;
  names: NameLookup;
  processes: ProcessTable;
  tally: RowTally;
}

/** Scans a table, if it is there, and counts its rows. `take` says of each row whether it has a place for more. */
export function scanTable(
  { database, tally }: NsysReader,
  table: string,
  columns: readonly string[],
  take: (row: Row) => void,
): void {
  if (!database.has(table)) return;
  tally.tooLong += database.scan(table, columns, (row) => {
    tally.rows++;
    take(row);
    return true;
  });
}

/** An unsigned id, or NO_ID when it is absent or does not fit. */
export function toId(value: number): number {
  return value >= 0 && value < NO_ID ? value : NO_ID;
}
