import { type Report } from '../../../../src/presentation/present-report';

type Roofline = NonNullable<Report['roofline']>;
export type Op = Roofline['ops'][number];
export type Measured = NonNullable<Report['measuredKernels']>['kernels'][number];
export type Peak = Pick<
  Roofline['gpu']['peaks'][number],
  'dtype' | 'flopKind' | 'flopPerSec' | 'ridgeFlopPerByte'
>;

/** What stands above the points. */
export interface Roofs {
  peaks: readonly Peak[];
  bytesPerSec: number | null;
}

/** What takes less of the time is not worth a place, and would make the plot wide. */
const LEAST_SHARE = 0.001;

/** A place in the plot: what is done for each byte, and how fast. */
export interface RooflinePoint {
  name: string;
  detail: string;
  source: 'modelled' | 'measured';
  roof: 'compute' | 'memory' | null;
  flopPerByte: number;
  flopPerSec: number;
  /** Part of the time of all points of its source. */
  share: number;
  timeNs: number;
  efficiencyRatio: number | null;
}

/** Ops and measured kernels that have a place on logarithmic axes: with flop, bytes and a time to speak of. */
export function rooflinePoints(ops: readonly Op[], measured: readonly Measured[]): RooflinePoint[] {
  const points = [
    ...ops.map((op) => ({
      ...{ name: op.op, detail: op.inputDims, source: 'modelled' as const, roof: op.roof },
      ...{ flopPerByte: op.intensityFlopPerByte, flopPerSec: op.flopPerSec, timeNs: op.deviceNs },
      efficiencyRatio: op.efficiencyRatio,
    })),
    ...measured.map((kernel) => ({
      ...{ name: kernel.name, detail: `grid ${kernel.gridSize}`, source: 'measured' as const },
      ...{ roof: kernel.roof, flopPerByte: kernel.intensityFlopPerByte, flopPerSec: kernel.flopPerSec },
      timeNs: kernel.inTrace?.totalNs ?? kernel.durationNs ?? 0,
      efficiencyRatio: kernel.efficiencyRatio,
    })),
  ];
  const totals = { modelled: 0, measured: 0 };
  for (const { source, timeNs } of points) totals[source] += timeNs;
  return points.flatMap(({ flopPerByte, flopPerSec, ...point }) => {
    const share = point.timeNs / Math.max(1, totals[point.source]);
    return flopPerByte && flopPerSec && share >= LEAST_SHARE
      ? [{ ...point, flopPerByte, flopPerSec, share }]
      : [];
  });
}

/** The roofs that measured kernels were held against, where there is no trace to say which formats are in use. */
export function roofsOfMeasured(kernels: readonly Measured[]): Roofs {
  let bytesPerSec: number | null = null;
  const peaks = new Map<string, Pick<Peak, 'dtype' | 'flopKind' | 'flopPerSec'>>();
  for (const { roof, leastNs, flop, memoryBytes, dtype, flopKind } of kernels) {
    if (!leastNs) continue;
    if (roof === 'memory' && memoryBytes) bytesPerSec = (memoryBytes / leastNs) * 1e9;
    if (roof !== 'compute' || !flop || !flopKind) continue;
    const peak = { dtype: dtype ?? 'fp32', flopKind, flopPerSec: (flop / leastNs) * 1e9 };
    const key = `${peak.dtype} ${flopKind}`;
    // The least: flop of the other kind of unit in some kernels make it look higher.
    if (peak.flopPerSec < (peaks.get(key)?.flopPerSec ?? Infinity)) peaks.set(key, peak);
  }
  const ridgeOf = (flopPerSec: number) => (bytesPerSec === null ? null : flopPerSec / bytesPerSec);
  return {
    bytesPerSec,
    peaks: [...peaks.values()].map((one) => ({ ...one, ridgeFlopPerByte: ridgeOf(one.flopPerSec) })),
  };
}

type XY = [flopPerByte: number, flopPerSec: number];

export interface RoofLine {
  label: string;
  line: XY[];
  /** Where bandwidth stops to be the limit; null when the bandwidth is not known. */
  ridge: XY | null;
}

/** The span of the plot, around all points and ridges, to whole powers of ten. */
export function spanOf(points: readonly RooflinePoint[], peaks: readonly Peak[]): { x: XY; y: XY } {
  const xs = [...points.map((p) => p.flopPerByte), ...peaks.map((p) => p.ridgeFlopPerByte ?? 1)];
  const ys = [...points.map((p) => p.flopPerSec), ...peaks.map((p) => p.flopPerSec)];
  const span = (values: number[]): XY => [
    10 ** Math.floor(Math.log10(Math.min(...values))),
    10 ** Math.ceil(Math.log10(Math.max(...values))),
  ];
  return { x: span(xs), y: span(ys) };
}

/** A roof for each peak in use: the slope of the memory, then the flat of the arithmetic. */
export function roofLines(peaks: readonly Peak[], bytesPerSec: number | null, [left, right]: XY): RoofLine[] {
  return peaks.map(({ dtype, flopKind, flopPerSec, ridgeFlopPerByte }) => {
    const label = `${dtype} ${flopKind}`;
    const end: XY = [right, flopPerSec];
    if (bytesPerSec === null || ridgeFlopPerByte === null)
      return { label, line: [[left, flopPerSec], end], ridge: null };
    const ridge: XY = [ridgeFlopPerByte, flopPerSec];
    return { label, line: [[left, left * bytesPerSec], ridge, end], ridge };
  });
}
