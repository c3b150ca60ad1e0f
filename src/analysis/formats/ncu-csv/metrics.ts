import { NS_PER_MS, NS_PER_S, NS_PER_US } from '../../units/time';

/** What a cell measures; its unit must say the same, for `Memory Throughput` is both a share and a rate. */
type Quantity = 'time' | 'bytes' | 'bytesPerSec' | 'ratio' | 'count';

/** Figures that are kept of each launch, beside instructions and matrix operations. */
const METRICS: ReadonlyMap<string, readonly [id: string, Quantity]> = new Map([
  ['gpu__time_duration.sum', ['duration', 'time']],
  ['Duration', ['duration', 'time']],
  ['dram__bytes.sum', ['bytes', 'bytes']],
  ['dram__bytes_read.sum', ['bytesRead', 'bytes']],
  ['dram__bytes_write.sum', ['bytesWritten', 'bytes']],
  ['dram__bytes.sum.per_second', ['bytesPerSec', 'bytesPerSec']],
  ['Memory Throughput', ['bytesPerSec', 'bytesPerSec']],
  ['gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed', ['memoryRatio', 'ratio']],
  ['dram__throughput.avg.pct_of_peak_sustained_elapsed', ['memoryRatio', 'ratio']],
  ['DRAM Throughput', ['memoryRatio', 'ratio']],
  ['sm__throughput.avg.pct_of_peak_sustained_elapsed', ['computeRatio', 'ratio']],
  ['Compute (SM) Throughput', ['computeRatio', 'ratio']],
  ['sm__warps_active.avg.pct_of_peak_sustained_active', ['occupancyRatio', 'ratio']],
  ['Achieved Occupancy', ['occupancyRatio', 'ratio']],
  ['smsp__cycles_elapsed.avg', ['cycles', 'count']],
]);

/** Instructions of threads: `f`loat, `d`ouble, `h`alf; in all, or per elapsed cycle. */
const INSTRUCTIONS =
  /^smsp?__sass_thread_inst_executed_op_([fdh](?:add|mul|fma))_pred_on\.sum(\.per_cycle_elapsed)?$/;
/** Operations of matrix units by operands; the metrics of single instructions below them say the same again. */
const MATRIX_OPERATIONS =
  /^sm__ops_path_tensor_src_([a-z0-9]{1,16}(?:_dst_[a-z0-9]{1,16})?(?:_sparsity_o(?:n|ff))?)\.sum$/;

/** Ids of matrix operations: this, then what they are done on, such as `bf16_dst_fp32` or `fp8_sparsity_on`. */
export const MATRIX_PREFIX = 'matrix:';

/** The figure that a metric of this name and unit gives; null when it is of no use here. */
export function figureOf(name: string, unit: string): { id: string; scale: number } | null {
  const { quantity, scale } = unitNamed(unit);
  const known = METRICS.get(name);
  if (known) return known[1] === quantity ? { id: known[0], scale } : null;
  if (quantity !== 'count') return null;
  const instructions = INSTRUCTIONS.exec(name);
  if (instructions) return { id: instructions[1] + (instructions[2] ? 'PerCycle' : ''), scale };
  const operations = MATRIX_OPERATIONS.exec(name);
  return operations && { id: MATRIX_PREFIX + operations[1], scale };
}

/** One of each in ns. */
const TIME_UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['nsecond', 1],
  ['us', NS_PER_US],
  ['usecond', NS_PER_US],
  ['ms', NS_PER_MS],
  ['msecond', NS_PER_MS],
  ['s', NS_PER_S],
  ['second', NS_PER_S],
]);
const OTHER_UNIT = /^([KMGTP]?)(byte|inst|cycle|op)?(?:\/(second|s|cycle))?$/;
const PREFIXES = ' KMGTP';

/** What a unit measures, and what one of it is in ns, bytes, bytes per second, ratios of one, or counts. */
function unitNamed(unit: string): { quantity: Quantity | null; scale: number } {
  if (unit === '%') return { quantity: 'ratio', scale: 0.01 };
  const timeScale = TIME_UNITS.get(unit);
  if (timeScale !== undefined) return { quantity: 'time', scale: timeScale };
  const [, prefix, what, per] = OTHER_UNIT.exec(unit) ?? [];
  if (prefix === undefined) return { quantity: null, scale: NaN };
  const scale = 1000 ** Math.max(0, PREFIXES.indexOf(prefix || ' '));
  if (what !== 'byte') return { quantity: 'count', scale };
  if (per === undefined) return { quantity: 'bytes', scale };
  return { quantity: per === 'cycle' ? null : 'bytesPerSec', scale };
}
