import { type TeamScope } from '../../../platform/database';

/** A piece of an export: records as JSON texts, and where the next piece goes on; undefined at the end. */
export interface ExportPage {
  records: string[];
  next: string | undefined;
}

/** One kind of record of an export, read page by page in an order in which none is missed and none comes twice. */
export interface ExportKind {
  /** As the lines of the export name it. */
  kind: string;
  readPage(scope: TeamScope, after: string | undefined): Promise<ExportPage>;
}

/** Rows of one page. */
export const ROWS_PER_PAGE = 500;

interface Rows {
  teamId: string;
  id?: { gt: string };
}

/** A kind whose rows are read by their id. */
export function byId<Row extends { id: string }>(
  kind: string,
  read: (scope: TeamScope, where: Rows) => Promise<Row[]>,
): ExportKind {
  return {
    kind,
    readPage: async (scope, after) => {
      const rows = await read(scope, {
        teamId: scope.teamId,
        ...(after === undefined ? {} : { id: { gt: after } }),
      });
      return toPage(rows, (row) => row.id);
    },
  };
}

/** Rows as a page; the next one goes on after the last row, unless the page is not full. */
export function toPage<Row extends object>(
  rows: readonly Row[],
  positionOf: (row: Row) => string,
  rowsPerPage = ROWS_PER_PAGE,
): ExportPage {
  const last = rows.at(-1);
  return {
    records: rows.map(toJson),
    next: last && rows.length === rowsPerPage ? positionOf(last) : undefined,
  };
}

/** Byte counts and sequence numbers are of a type that JSON does not know; they fit into its numbers. */
function toJson(row: object): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
