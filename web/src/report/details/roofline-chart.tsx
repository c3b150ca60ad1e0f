import { LineChart, ScatterChart } from 'echarts/charts';
import { type EChartsCoreOption, use as register } from 'echarts/core';
import { useCallback } from 'react';
import { formatFlop } from '../../../../src/presentation/flop-quantity';
import { formatNs, formatRatio } from '../../../../src/presentation/quantity';
import { Chart } from '../../chart/chart';
import { type ChartColors } from '../../chart/chart-colors';
import { roofLines, type RooflinePoint, type Roofs, spanOf } from './roofline-points';

register([LineChart, ScatterChart]);

const SOURCES = [
  { source: 'modelled', symbol: 'circle', color: '#4c6ef5', name: 'modelled by operator shapes' },
  { source: 'measured', symbol: 'diamond', color: '#f76707', name: 'measured by counters' },
] as const;
const LEAST_SIZE_PX = 6;
const MOST_SIZE_PX = 44;

/** Keep both the same while nothing changed. */
interface Props {
  roofs: Roofs;
  points: readonly RooflinePoint[];
}

/** Roofs of the formats in use, and ops and kernels below them, as large as the time that they take. */
export function RooflineChart({ roofs, points }: Props) {
  const option = useCallback((colors: ChartColors) => toOption({ roofs, points }, colors), [points, roofs]);
  return (
    <Chart label="Roofline: flop per second over flop per byte, logarithmic" heightPx={440} option={option} />
  );
}

function toOption({ roofs: { peaks, bytesPerSec }, points }: Props, { text, line, surface }: ChartColors) {
  const span = spanOf(points, peaks);
  const lines = roofLines(peaks, bytesPerSec, span.x);
  const sources = SOURCES.filter(({ source }) => points.some((point) => point.source === source));
  const axis = {
    type: 'log',
    nameLocation: 'middle',
    nameTextStyle: { color: text },
    axisLine: { lineStyle: { color: line } },
    splitLine: { lineStyle: { color: line, opacity: 0.5 } },
  };
  return {
    legend: { top: 0, textStyle: { color: text }, data: sources.map(({ name }) => name) },
    grid: { left: 84, right: 24, top: 40, bottom: 48 },
    tooltip: { backgroundColor: surface, borderColor: line, textStyle: { color: text }, confine: true },
    xAxis: {
      ...axis,
      ...{ name: 'flop per byte', nameGap: 28, min: span.x[0], max: span.x[1] },
      axisLabel: { color: text, hideOverlap: true, formatter: short },
    },
    yAxis: {
      ...axis,
      ...{ name: 'flop per second', nameGap: 66, min: span.y[0], max: span.y[1] },
      axisLabel: { color: text, formatter: (value: number) => formatFlop(value, 'flopPerSec') },
    },
    series: [
      ...lines.map(({ label, line: path, ridge }) => ({
        ...{ type: 'line', name: `${label} roof`, silent: true, color: text, lineStyle: { width: 1.5 } },
        data: path.map((value) => ({
          value,
          // The ridge has a mark of its own.
          ...(value === ridge ? { symbol: 'circle', symbolSize: 8 } : { symbol: 'none' }),
        })),
        endLabel: {
          ...{ show: true, align: 'right', verticalAlign: 'bottom', color: text, offset: [0, -4] },
          formatter: `${label} ${formatFlop(path[path.length - 1][1], 'flopPerSec')}${ridge ? `, ridge at ${short(ridge[0])}` : ''}`,
        },
      })),
      ...sources.map(({ source, symbol, color, name }) => ({
        ...{ type: 'scatter', name, symbol, color },
        itemStyle: { opacity: 0.75, borderColor: surface, borderWidth: 1 },
        data: points
          .filter((point) => point.source === source)
          .map((point) => ({
            value: [point.flopPerByte, point.flopPerSec],
            symbolSize: LEAST_SIZE_PX + (MOST_SIZE_PX - LEAST_SIZE_PX) * Math.sqrt(point.share),
            point,
          })),
        tooltip: { formatter: ({ data }: { data: { point: RooflinePoint } }) => describe(data.point) },
      })),
    ],
  } satisfies EChartsCoreOption;
}

/** Names come from traces: text, never markup. */
function describe(point: RooflinePoint): HTMLElement {
  const box = document.createElement('div');
  box.style.cssText = 'max-width: 360px; white-space: normal; overflow-wrap: anywhere';
  const texts = [
    point.name,
    point.detail.slice(0, 160),
    `${formatFlop(point.flopPerSec, 'flopPerSec')} at ${short(point.flopPerByte)} flop per byte`,
    point.efficiencyRatio !== null && `${formatRatio(point.efficiencyRatio)} of its ${point.roof ?? ''} roof`,
    `${formatNs(point.timeNs)}, ${formatRatio(point.share)} of what is shown; ${point.source}`,
  ];
  for (const text of texts.filter((one) => one !== false && one !== '')) {
    const row = document.createElement('div');
    row.textContent = text as string;
    box.append(row);
  }
  return box;
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}
