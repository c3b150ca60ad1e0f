import { plainText } from './plain-text';
import { formatNs, formatRatio } from './quantity';
import { type PresentedLadder, type PresentedRung } from './present-ladder';

/** Figures of the utilisation panel that have a column; the first that has a value is shown. */
const PANEL_COLUMNS: readonly { title: string; ids: readonly string[] }[] = [
  { title: 'GPU busy', ids: ['gpu-util-unprofiled', 'gpu-util'] },
  { title: 'MFU', ids: ['mfu'] },
  { title: 'memory', ids: ['peak-memory'] },
  { title: 'power', ids: ['power'] },
];
const ABSENT = '–';
const LEFT_COLUMNS = [0];

/** The table of a ladder as plain text, its warnings and what to try next. */
export function renderLadder({ rungs, speedup, next }: PresentedLadder): string {
  const titles = PANEL_COLUMNS.map(({ title }) => title);
  const rows = [['rung', 'step', 'gain', 'in all', ...titles, 'verdict'], ...rungs.map(rowOf)];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column], column))
      .join('  ')
      .trimEnd(),
  );
  return `${[
    ...lines,
    '',
    ...(speedup === null ? [] : [`The last rung is ${formatSpeedup(speedup)} as fast as the baseline.`]),
    ...clockNotes(rungs),
    ...absentNotes(rungs),
    ...rungs.flatMap(({ label, warning }) =>
      warning ? [`Warning: ${plainText(label)}: ${plainText(warning)}.`] : [],
    ),
    ...(next ? [`Next: ${plainText(next.text)}`] : []),
  ].join('\n')}\n`;
}

function rowOf(rung: PresentedRung): string[] {
  const { label, step, speedup, cumulativeSpeedup, verdictText } = rung;
  return [
    plainText(label),
    step ? formatNs(step.ns) : ABSENT,
    speedup === null ? ABSENT : formatSpeedup(speedup),
    cumulativeSpeedup === null ? ABSENT : formatSpeedup(cumulativeSpeedup),
    ...PANEL_COLUMNS.map(({ ids }) => panelCell(rung, ids)),
    verdictText,
  ];
}

function panelCell({ utilisation }: PresentedRung, ids: readonly string[]): string {
  const values = ids.flatMap((id) => utilisation.find((figure) => figure.id === id)?.value ?? []);
  return values.length === 0 ? ABSENT : formatRatio(values[0]);
}

function clockNotes(rungs: readonly PresentedRung[]): string[] {
  const clocks = new Set(rungs.flatMap(({ step }) => step?.clockText ?? []));
  return clocks.size === 0 ? [] : [`Step times: ${[...clocks].join('; ')}.`];
}

/** Why columns have gaps, each reason once. */
function absentNotes(rungs: readonly PresentedRung[]): string[] {
  const notes = PANEL_COLUMNS.flatMap(({ title, ids }) =>
    rungs
      .filter((rung) => panelCell(rung, ids) === ABSENT)
      .flatMap(({ utilisation }) => utilisation.find(({ id }) => id === ids[0])?.reason ?? [])
      .map((reason) => `Not measurable: ${title}: ${plainText(reason)}.`),
  );
  return [...new Set(notes)];
}

function formatSpeedup(speedup: number): string {
  return `${speedup.toFixed(speedup >= 10 ? 1 : 2)}x`;
}

function pad(cell: string, width: number, column: number): string {
  const isLeft = LEFT_COLUMNS.includes(column) || column === 4 + PANEL_COLUMNS.length;
  return isLeft ? cell.padEnd(width) : cell.padStart(width);
}
