/** Columns of a wide export with every section; more are no table. */
const MAX_CELLS = 65_536;

/** Cells of a line of CSV, with `""` for a quote inside quotes. A quote that is never closed ends with the line. */
export function splitCsvLine(line: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length && cells.length < MAX_CELLS) {
    if (line[at] !== '"') {
      const comma = line.indexOf(',', at);
      const end = comma < 0 ? line.length : comma;
      cells.push(line.slice(at, end));
      at = end + 1;
      continue;
    }
    let close = line.indexOf('"', at + 1);
    while (close >= 0 && line[close + 1] === '"') close = line.indexOf('"', close + 2);
    const end = close < 0 ? line.length : close;
    cells.push(line.slice(at + 1, end).replaceAll('""', '"'));
    const comma = line.indexOf(',', end);
    if (comma < 0) break;
    at = comma + 1;
  }
  return cells;
}
