import { parseCreateTable, type TableColumns } from './create-table';
import { DamagedDatabase } from './damaged';
import { type Pages } from './pages';
import { Row } from './row';
import { TableTree } from './table-tree';

/** Entries of the schema; an export of all kinds has about a hundred tables. */
const MAX_SCHEMA_ENTRIES = 10_000;
const SCHEMA_COLUMNS = ['type', 'name', 'rootpage', 'sql'];
const SCHEMA: TableColumns = { names: ['type', 'name', 'tbl_name', 'rootpage', 'sql'], rowIdColumn: -1 };

interface Entry {
  type: string;
  rootPage: number;
  sql: string;
}

/**
 * Reads the ordinary tables of an SQLite file, each in one pass. There is no SQL: nothing that a file defines (views,
 * triggers, computed columns, virtual tables) can run. Everything throws `DamagedDatabase` for a file that breaks the
 * format.
 */
export class Database {
  private readonly entries = new Map<string, Entry>();
  private readonly decoder = new TextDecoder();

  constructor(private readonly pages: Pages) {
    this.each(new TableTree(pages, 1), SCHEMA, SCHEMA_COLUMNS, (row) => {
      const [type, name, sql] = [0, 1, 3].map((slot) =>
        this.decoder.decode(row.text(slot) ?? new Uint8Array(0)),
      );
      if (type === 'index' || type === 'trigger') return true;
      if (this.entries.has(name)) throw new DamagedDatabase(`it has two tables "${name.slice(0, 64)}"`);
      this.entries.set(name, { type, rootPage: row.integer(2), sql });
      if (this.entries.size > MAX_SCHEMA_ENTRIES) throw new DamagedDatabase('it has too many tables');
      return true;
    });
  }

  has(table: string): boolean {
    return this.entries.has(table);
  }

  /** The table's columns. Throws when it is not an ordinary table. */
  columnsOf(table: string): TableColumns {
    const { type, rootPage, sql } = this.entry(table);
    if (type !== 'table' || !(rootPage > 0))
      throw new DamagedDatabase(`its "${table}" is a ${type || 'thing'}, not a table`);
    return parseCreateTable(sql);
  }

  /**
   * Gives every row of the table, with the wanted columns in the slots of their order; columns that the table lacks are
   * absent in every row. Once a table. Return false to end the scan. Returns how many rows were too long to be read.
   */
  scan(table: string, wanted: readonly string[], onRow: (row: Row) => boolean): number {
    const columns = this.columnsOf(table);
    return this.each(new TableTree(this.pages, this.entry(table).rootPage), columns, wanted, onRow);
  }

  /** Finds rows by the column that stands for the row id. Null when the table has no such column of this name. */
  finder(table: string, keyColumn: string, column: string): ((key: number) => Uint8Array | null) | null {
    const columns = this.columnsOf(table);
    if (columns.names[columns.rowIdColumn] !== keyColumn) return null;
    const tree = new TableTree(this.pages, this.entry(table).rootPage);
    const row = rowFor(columns, [column]);
    return (key) => {
      const payload = tree.find(key);
      return payload && row.take(key, payload, Infinity) ? row.text(0) : null;
    };
  }

  private each(
    tree: TableTree,
    columns: TableColumns,
    wanted: readonly string[],
    onRow: (row: Row) => boolean,
  ): number {
    const row = rowFor(columns, wanted);
    let tooLong = 0;
    tree.scan((rowId, payload, payloadBytes) => {
      if (row.take(rowId, payload, payloadBytes)) return onRow(row);
      tooLong++;
      return true;
    });
    return tooLong;
  }

  private entry(table: string): Entry {
    const entry = this.entries.get(table);
    if (!entry) throw new DamagedDatabase(`it has no table "${table}"`);
    return entry;
  }
}

function rowFor({ names, rowIdColumn }: TableColumns, wanted: readonly string[]): Row {
  const last = Math.max(...wanted.map((name) => names.indexOf(name)));
  const slotOf = new Int16Array(last + 1).fill(-1);
  for (const [slot, name] of wanted.entries()) if (names.includes(name)) slotOf[names.indexOf(name)] = slot;
  return new Row(slotOf, wanted.length, wanted.indexOf(names[rowIdColumn] ?? ''));
}
