import { formatFigure } from '../../../src/presentation/quantity';
import { type Rung } from './ladder-queries';

/** Columns of the utilisation panel; the first figure that has a value is shown. */
export const PANEL_COLUMNS: readonly { title: string; ids: readonly string[] }[] = [
  { title: 'GPU busy', ids: ['gpu-util-unprofiled', 'gpu-util'] },
  { title: 'MFU', ids: ['mfu'] },
  { title: 'Memory', ids: ['peak-memory'] },
  { title: 'Power', ids: ['power'] },
];

/** The figure of a column as text, or why there is none. */
export function panelFigure(
  { utilisation }: Rung,
  ids: readonly string[],
): { text: string | null; reason?: string } {
  const figures = ids.flatMap((id) => utilisation.find((figure) => figure.id === id) ?? []);
  const known = figures.find(({ value }) => value !== null);
  return known ? { text: formatFigure(known) } : { text: null, reason: figures.at(0)?.reason };
}

/** How many times as fast. */
export function speedupText(speedup: number): string {
  return `${speedup.toFixed(speedup >= 10 ? 1 : 2)}x`;
}

export const VERDICT_COLORS: Readonly<Record<Rung['verdict'], string>> = {
  baseline: 'indigo',
  keep: 'teal',
  revert: 'red',
  'within-noise': 'gray',
  'not-comparable': 'yellow',
};

export const VERDICT_WORDS: Readonly<Record<Rung['verdict'], string>> = {
  baseline: 'Baseline',
  keep: 'Keep',
  revert: 'Revert',
  'within-noise': 'Within noise',
  'not-comparable': 'Not comparable',
};
