import { MAX_PLAUSIBLE_NS, NS_PER_S } from '../../units/time';
import { type MatrixOperations, type MeasuredLaunch } from './kernel-measurements';
import { MATRIX_PREFIX } from './metrics';
import { type NumberLocale } from './number-locale';

/** A cell that is kept until the whole file has said how it writes numbers. */
interface Cell {
  text: string;
  scale: number;
}

/** What is known of a launch while its rows are read. */
export interface LaunchDraft extends Pick<MeasuredLaunch, 'name' | 'blockSize' | 'gridSize'> {
  count: number;
  /** By id of the figure; the first metric that gives it stands. */
  cells: Map<string, Cell>;
}

/** No kernel does more within a week on any GPU. */
const MAX_AMOUNT = 1e21;
/** Shares of a peak may pass one by little. */
const MAX_RATIO = 10;

/** The figures of a launch, and how many of its cells were no number or none that a GPU reaches. */
export function finishLaunch(
  { cells, name, blockSize, gridSize, count }: LaunchDraft,
  locale: NumberLocale,
): { launch: MeasuredLaunch; unreadable: number } {
  let unreadable = 0;
  const figure = (id: string, most = MAX_AMOUNT): number => {
    const cell = cells.get(id);
    if (!cell || ABSENT.test(cell.text)) return NaN;
    const value = locale.parse(cell.text) * cell.scale;
    if (value >= 0 && value <= most) return value;
    unreadable++;
    return NaN;
  };
  const durationNs = figure('duration', MAX_PLAUSIBLE_NS);
  const launch: MeasuredLaunch = {
    name,
    blockSize,
    gridSize,
    count,
    durationNs: durationNs > 0 ? durationNs : NaN,
    memoryBytes: firstNumber(
      figure('bytes'),
      figure('bytesRead') + figure('bytesWritten'),
      (figure('bytesPerSec') * durationNs) / NS_PER_S,
    ),
    matrix: matrixOperations([...cells.keys()], figure),
    vectorFlop: vectorFlop(figure),
    memoryRatio: figure('memoryRatio', MAX_RATIO),
    computeRatio: figure('computeRatio', MAX_RATIO),
    occupancyRatio: figure('occupancyRatio', MAX_RATIO),
  };
  return { launch, unreadable };
}

/** What stands in a cell without a value. */
const ABSENT = /^(?:|-|n\/a|nan|all|no data)$/i;

function firstNumber(...values: number[]): number {
  return values.find((value) => !Number.isNaN(value)) ?? NaN;
}

function matrixOperations(ids: readonly string[], figure: (id: string) => number): MatrixOperations[] | null {
  const all = ids
    .filter((id) => id.startsWith(MATRIX_PREFIX))
    .map((id) => ({
      operands: id.slice(MATRIX_PREFIX.length).replace(/_.*$/, ''),
      sparse: id.endsWith('_sparsity_on'),
      flop: figure(id),
    }));
  if (all.every(({ flop }) => Number.isNaN(flop))) return null;
  return all.filter(({ flop }) => flop > 0);
}

/**
 * Half precision comes in pairs. Single precision must be counted whole; the others add to it where they are counted,
 * and are rarely asked for.
 */
function vectorFlop(figure: (id: string) => number): number {
  const cycles = figure('cycles');
  const executed = (id: string): number => firstNumber(figure(id), figure(`${id}PerCycle`) * cycles);
  const flop = (type: string): number =>
    executed(`${type}add`) + executed(`${type}mul`) + 2 * executed(`${type}fma`);
  return flop('f') + firstNumber(flop('d'), 0) + 2 * firstNumber(flop('h'), 0);
}
