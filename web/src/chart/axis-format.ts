/** Units by the greatest size that they are good for; the figures of the axis have one unit. */
const SCALES: Readonly<Record<string, readonly (readonly [factor: number, unit: string])[]>> = {
  ns: scale([1e9, ' s'], [1e6, ' ms'], [1e3, ' µs'], [1, ' ns']),
  ratio: scale([0.01, ' %']),
  bytes: scale([1e12, ' TB'], [1e9, ' GB'], [1e6, ' MB'], [1e3, ' kB'], [1, ' B']),
  bytesPerSec: scale([1e12, ' TB/s'], [1e9, ' GB/s'], [1e6, ' MB/s'], [1, ' B/s']),
  count: scale([1, '']),
};
const MOST_DECIMALS = 4;

/** How the figures of an axis from `low` to `high` are written: with as many decimals as tell its marks apart. */
export function axisFormat(unit: string, low: number, high: number): (value: number) => string {
  const most = Math.max(Math.abs(low), Math.abs(high));
  const scales = SCALES[unit] ?? [[1, ` ${unit}`]];
  const [factor, suffix] = scales.find(([size]) => most >= size) ?? scales[scales.length - 1];
  // Axes have about five marks.
  const markSize = (high - low) / factor / 5;
  const decimals = markSize > 0 ? Math.min(MOST_DECIMALS, Math.max(0, Math.ceil(-Math.log10(markSize)))) : 0;
  return (value) => (value / factor).toFixed(decimals) + suffix;
}

function scale(...scales: (readonly [number, string])[]) {
  return scales;
}
