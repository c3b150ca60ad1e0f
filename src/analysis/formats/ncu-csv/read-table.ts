import { ownText } from '../own-text';
import { splitCsvLine } from './csv-line';
import { type LaunchDraft } from './launch-draft';
import { figureOf } from './metrics';
import { type NumberLocale } from './number-locale';

/** Where launches are gathered. */
export interface LaunchSink {
  /** The launch with this key, made when it is new; null when there are too many. */
  launch(key: string, make: () => LaunchDraft): LaunchDraft | null;
  nameGpu(name: string): void;
  readonly locale: NumberLocale;
}

export type RowOutcome = 'read' | 'malformed' | 'other';
export interface MeasurementTable {
  form: 'wide' | 'narrow';
  readRow(line: string): RowOutcome;
}

const GPU_NAME = 'device__attribute_display_name';
const MAX_NAME_CHARS = 2_000;
/** Numbers and sizes are far shorter. */
const MAX_CELL_CHARS = 64;
/** Figures of one launch; there are about forty. */
const MAX_FIGURES = 256;

/** The table that a line is the header of; null for any other line. */
export function openTable(line: string, sink: LaunchSink): MeasurementTable | null {
  if (!line.includes('"Kernel Name"')) return null;
  const columns = splitCsvLine(line.slice(line.indexOf('"')));
  if (columns.includes('Metric Name')) return narrowTable(columns, sink);
  return columns.some((name) => name.includes('__')) ? wideTable(columns, sink) : null;
}

/** A row per metric; rows of rules are longer and name no metric. Summaries have `Average` for the value. */
function narrowTable(columns: readonly string[], sink: LaunchSink): MeasurementTable | null {
  const at = columnsOf(columns);
  const [name, unit, value] = ['Metric Name', 'Metric Unit', 'Metric Value'].map((c) => columns.indexOf(c));
  const valueColumn = value < 0 ? columns.indexOf('Average') : value;
  if (valueColumn < 0 || unit < 0) return null;
  return {
    form: 'narrow',
    readRow(line) {
      if (!line.startsWith('"')) return 'other';
      const cells = splitCsvLine(line);
      if (cells.length <= Math.max(valueColumn, at.kernel)) return 'malformed';
      if (cells[name] === '') return 'other';
      sink.locale.learn(cells[valueColumn]);
      const figure = figureOf(cells[name], cells[unit]);
      if (!figure) return 'read';
      const draft = sink.launch(keyOf(cells, at), () => draftOf(cells, at));
      if (draft) addCell(draft, figure.id, cells[valueColumn], figure.scale);
      return 'read';
    },
  };
}

/** A row per launch. Units stand in a row of their own below the header, or in brackets behind the names. */
function wideTable(columns: readonly string[], sink: LaunchSink): MeasurementTable {
  const at = columnsOf(columns);
  const named = columns.map((column) => {
    const bracket = column.endsWith(']') ? column.lastIndexOf(' [') : -1;
    return bracket < 0
      ? { name: column, unit: '' }
      : { name: column.slice(0, bracket), unit: column.slice(bracket + 2, -1) };
  });
  const gpuName = columns.indexOf(GPU_NAME);
  let figures = named.map(({ name, unit }) => figureOf(name, unit));
  return {
    form: 'wide',
    readRow(line) {
      if (!line.startsWith('"')) return 'other';
      const cells = splitCsvLine(line);
      if (cells.length !== columns.length) return 'malformed';
      if (cells[at.kernel] === '') {
        figures = named.map(({ name }, i) => figureOf(name, cells[i]));
        return 'read';
      }
      if (gpuName >= 0 && cells[gpuName] !== '') sink.nameGpu(cells[gpuName]);
      const draft = sink.launch(keyOf(cells, at), () => draftOf(cells, at));
      figures.forEach((figure, i) => {
        if (named[i].name.includes('__')) sink.locale.learn(cells[i]);
        if (draft && figure) addCell(draft, figure.id, cells[i], figure.scale);
      });
      return 'read';
    },
  };
}

interface Columns {
  id: number;
  process: number;
  kernel: number;
  block: number;
  grid: number;
  invocations: number;
}

function columnsOf(columns: readonly string[]): Columns {
  const find = (name: string): number => columns.indexOf(name);
  return {
    id: find('ID'),
    process: find('Process ID'),
    kernel: find('Kernel Name'),
    block: find('Block Size'),
    grid: find('Grid Size'),
    invocations: find('Invocations'),
  };
}

const cellAt = (cells: readonly string[], column: number): string => cells[column]?.trim() ?? '';

/** Launches are numbered within a process; summaries have no number, and one entry per kernel and size. */
function keyOf(cells: readonly string[], at: Columns): string {
  const process = cellAt(cells, at.process);
  if (at.id >= 0) return `${process} ${cellAt(cells, at.id)}`;
  return `${process} ${cells[at.kernel]} ${cellAt(cells, at.block)} ${cellAt(cells, at.grid)}`;
}

function draftOf(cells: readonly string[], at: Columns): LaunchDraft {
  const invocations = Number(cellAt(cells, at.invocations));
  return {
    name: ownText(cells[at.kernel].slice(0, MAX_NAME_CHARS)),
    blockSize: ownText(cellAt(cells, at.block).slice(0, MAX_CELL_CHARS)),
    gridSize: ownText(cellAt(cells, at.grid).slice(0, MAX_CELL_CHARS)),
    count: Number.isSafeInteger(invocations) && invocations > 0 ? invocations : 1,
    cells: new Map(),
  };
}

function addCell({ cells }: LaunchDraft, id: string, text: string, scale: number): void {
  if (cells.has(id) || cells.size >= MAX_FIGURES) return;
  cells.set(id, { text: ownText(text.trim().slice(0, MAX_CELL_CHARS)), scale });
}
