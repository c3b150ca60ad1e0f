import { formatNs } from '../../../src/presentation/quantity';

const WIDTH = 88;
const HEIGHT = 22;
const PAD = 2.5;
/** More than a point for every two pixels shows nothing. */
const MOST_POINTS = 44;

/** How a duration changed, oldest first, as a small line that ends in a dot. Takes two values at least. */
export function Sparkline({ valuesNs }: { valuesNs: readonly number[] }) {
  const shown = valuesNs.slice(-MOST_POINTS);
  const low = Math.min(...shown);
  const high = Math.max(...shown);
  // A change of less than a fiftieth is noise and looks like it.
  const span = Math.max(high - low, high / 50);
  const points = shown.map((ns, i) => {
    const x = PAD + (i / (shown.length - 1)) * (WIDTH - 2 * PAD);
    const y = HEIGHT / 2 - ((ns - (low + high) / 2) / span) * (HEIGHT - 2 * PAD);
    return [x, y] as const;
  });
  const [endX, endY] = points[points.length - 1];
  const label = `Step time of the series, last ${shown.length} values: from ${formatNs(shown[0])} to ${formatNs(shown[shown.length - 1])}`;
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline
        points={points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke="var(--mantine-color-dimmed)"
        strokeWidth={1.25}
        strokeLinejoin="round"
      />
      <circle cx={endX} cy={endY} r={2.25} fill="var(--mantine-primary-color-filled)" />
    </svg>
  );
}
