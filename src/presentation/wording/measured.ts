import { type MeasuredKernel } from '../../analysis';
import { formatFigure } from '../quantity';

type Disagreement = MeasuredKernel['disagreements'][number];

const UNITS: Readonly<Record<Disagreement['about'], string>> = {
  flop: 'flop',
  bytes: 'bytes',
  duration: 'ns',
};

/** Why one side is believed; the type demands words for every reason. */
const REASONS: Readonly<Record<Disagreement['reason'], string>> = {
  counted: 'the measurement is believed: the hardware counts what shapes can only tell',
  'more-than-least':
    'the measurement is believed: shapes give the least that must move, and this is what was moved',
  'from-cache': 'the measurement is believed: a part came from the cache and did not cross the memory',
  'profiled-alone':
    'the trace is believed: Nsight Compute empties the caches, sets the clocks and runs kernels one by one',
};

/** Both sides of a disagreement, which one is believed, and why. */
export function disagreementText({ about, measured, modelled, reason }: Disagreement): string {
  const figure = (value: number): string => formatFigure({ value, unit: UNITS[about] });
  const other = about === 'duration' ? 'in the trace' : 'by the shapes';
  return `${figure(measured)} measured, ${figure(modelled)} ${other}: ${REASONS[reason]}`;
}
