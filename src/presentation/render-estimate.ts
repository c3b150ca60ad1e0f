import { styleText } from 'node:util';
import { ESTIMATE_GROUPS, type Estimate, type EstimateFigure } from '../analysis';
import { formatCount, formatFlop } from './flop-quantity';
import { formatBytes, formatFigure } from './quantity';
import {
  ESTIMATE_FIGURE_LABELS,
  ESTIMATE_GROUP_TITLES,
  layoutLabel,
  layoutVerdict,
} from './wording/estimates';

const LABEL_CHARS = 30;
const VALUE_CHARS = 14;

/** An estimate for a terminal: figures by group, each with its formula or what it lacks, and the layouts that fit. */
export function renderEstimate(
  { request, gpu, figures, layouts }: Estimate,
  { color }: { color: boolean },
): string {
  const paint = (style: 'bold' | 'dim' | 'yellow', text: string): string =>
    color ? styleText(style, text) : text;
  const about = [
    `${formatCount(request.parameters)} parameters`,
    request.dtype,
    request.optimizer,
    `${request.worldSize} GPU(s)`,
    ...(gpu ? [gpu.label] : []),
  ].join(', ');
  const row = (figure: EstimateFigure): string => {
    const label = (ESTIMATE_FIGURE_LABELS[figure.id] ?? figure.id).padEnd(LABEL_CHARS);
    const value = formatEstimateFigure(figure).padStart(VALUE_CHARS);
    const why = figure.value === null ? (figure.reason ?? '') : figure.formula;
    return `  ${label} ${value}  ${paint('dim', why)}`;
  };
  const lines = [
    paint('bold', 'Floors from first principles') + paint('dim', `  ${about}`),
    paint(
      'dim',
      'Modelled, not measured. Time and bytes are the least that is possible; activations are those of a standard transformer block.',
    ),
    '',
    ...ESTIMATE_GROUPS.flatMap((group) => [
      paint('bold', ESTIMATE_GROUP_TITLES[group]),
      ...figures.filter((figure) => figure.group === group).map(row),
      ...(group === 'memory' ? [''] : []),
      ...(group === 'communication' ? [''] : []),
    ]),
    ...anomalies(figures).map((line) => paint('yellow', line)),
    ...(layouts.length > 0 ? ['', paint('bold', 'What would fit')] : []),
    ...layouts.map((layout) => {
      const bytes = layout.totalBytes ?? layout.modelStateBytes;
      const row = `  ${layoutLabel(layout).padEnd(48)} ${(bytes === null ? '' : formatBytes(bytes)).padStart(10)}  ${layoutVerdict(layout)}`;
      return layout.fits === false ? paint('dim', row) : row;
    }),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** A utilisation of more than the peak is reported, never clipped. */
function anomalies(figures: readonly EstimateFigure[]): string[] {
  const mfu = figures.find(({ id }) => id === 'mfu')?.value ?? 0;
  if (mfu <= 1) return [];
  return [
    '  MFU is above 1: tokens per step must be those of one GPU, and the step time that of one optimizer step.',
  ];
}

function formatEstimateFigure({ value, unit }: EstimateFigure): string {
  if (value === null) return 'not known';
  if (unit === 'flop' || unit === 'flopPerSec') return formatFlop(value, unit);
  if (unit === 'count') return formatCount(value);
  return formatFigure({ value, unit });
}
