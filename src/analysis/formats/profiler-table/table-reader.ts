import { type OperatorRow, type OperatorTable } from './operator-totals';
import { ownText } from '../own-text';
import { cellsOf, columnSpans, readHeader, type TableColumn, timeNs } from './table-columns';

/** Bounds of one file; tables are printed for people. */
const MAX_TABLES = 64;
const MAX_ROWS = 20_000;
const MAX_NAME_CHARS = 500;
const MAX_SHAPES_CHARS = 240;

const TOTAL = /\bSelf (\w{2,20}) time total: (\S{1,40})/;

/** Reads tables line by line: a rule of dashes, the header, a rule, rows, a rule, and the sums. */
export class TableReader {
  readonly tables: OperatorTable[] = [];
  /** Rows in which a column of times held none. */
  malformed = 0;
  malformedExample: string | undefined;
  lost = 0;
  private spans: ReturnType<typeof columnSpans> = null;
  private columns: TableColumn[] | null = null;
  private table: OperatorTable | null = null;
  private rowCount = 0;

  read(line: string): void {
    const spans = columnSpans(line);
    if (spans) {
      // The rule below the rows ends them; the one below the header is followed by them.
      if (this.table && this.table.rows.length > 0) this.columns = null;
      this.spans = spans;
      return;
    }
    const total = TOTAL.exec(line);
    if (total) this.addTotal(total[1], timeNs(total[2]));
    else if (!this.begin(line) && this.columns && this.table) this.addRow(line, this.columns, this.table);
  }

  private begin(line: string): boolean {
    const header = this.spans && readHeader(line, this.spans);
    if (!header) return false;
    this.columns = header.columns;
    this.table = { device: header.device, rows: [], selfCpuTotalNs: NaN, selfDeviceTotalNs: NaN };
    if (this.tables.length < MAX_TABLES) this.tables.push(this.table);
    else this.lost++;
    return true;
  }

  private addRow(line: string, columns: readonly TableColumn[], table: OperatorTable): void {
    const cells = cellsOf(line, columns);
    const row: OperatorRow = {
      name: '',
      inputShapes: null,
      calls: NaN,
      selfCpuNs: NaN,
      cpuTotalNs: NaN,
      selfDeviceNs: NaN,
      deviceTotalNs: NaN,
      flop: NaN,
    };
    columns.forEach(({ figure }, i) => {
      if (figure === 'name') row.name = ownText(cells[i].slice(0, MAX_NAME_CHARS));
      else if (figure === 'inputShapes') row.inputShapes = ownText(cells[i].slice(0, MAX_SHAPES_CHARS));
      else if (figure && figure.field !== 'name' && figure.field !== 'inputShapes')
        row[figure.field] = figure.read(cells[i]);
    });
    // Lines without a name continue a stack above them.
    if (row.name === '') return;
    if (Number.isNaN(row.selfCpuNs) || Number.isNaN(row.calls)) {
      this.malformed++;
      this.malformedExample ??= line;
    } else if (this.rowCount >= MAX_ROWS) this.lost++;
    else {
      this.rowCount++;
      table.rows.push(row);
    }
  }

  private addTotal(what: string, totalNs: number): void {
    this.columns = null;
    if (!this.table) return;
    if (what === 'CPU') this.table.selfCpuTotalNs = totalNs;
    else this.table.selfDeviceTotalNs = totalNs;
  }
}
