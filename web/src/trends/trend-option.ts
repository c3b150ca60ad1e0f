import { type EChartsCoreOption } from 'echarts/core';
import { axisFormat } from '../chart/axis-format';
import { type ChartColors } from '../chart/chart-colors';
import { type BaselineLevel } from './baseline-levels';
import { LINE_COLORS } from './trend-colors';
import { type TrendLine } from './trend-lines';
import { type TrendMark } from './trend-marks';
import { placeOf, type TrendPlot } from './trend-plot';

const MARK_COLORS = { regressed: '#e03131', recovered: '#099268', improved: '#099268', accepted: '#868e96' };
/** More points than that are dots without a line, which a browser draws at once. */
const MOST_JOINED = 1_000;
/** Bands of more lines hide each other. */
const MOST_BANDS = 2;
/** A chart of less than a fiftieth from bottom to top would make mountains of noise. */
const LEAST_SPAN_RATIO = 0.02;
const AIR = 1.24;

export interface Drawn {
  plot: TrendPlot;
  unit: string;
  marks: readonly TrendMark[];
  levels: readonly BaselineLevel[];
}

/** Values as lines or dots, days as medians in a band, the baseline behind them, and a line where a level changed. */
export function trendOption({ plot, unit, marks, levels }: Drawn, colors: ChartColors): EChartsCoreOption {
  const { text, line } = colors;
  const [low, high] = spanOf(plot, levels);
  const format = axisFormat(unit, low, high);
  const { slots } = plot;
  const label = { color: text, hideOverlap: true };
  return {
    grid: { left: 8, right: 16, top: 48, bottom: 8, containLabel: true },
    xAxis: {
      ...(slots
        ? { type: 'category', data: slots.map(({ commit }) => commit?.slice(0, 8) ?? 'no commit') }
        : { type: 'time' }),
      axisLabel: label,
      axisLine: { lineStyle: { color: line } },
      axisTick: { lineStyle: { color: line } },
    },
    yAxis: {
      type: 'value',
      min: low,
      max: high,
      axisLabel: { ...label, formatter: format, showMinLabel: false, showMaxLabel: false },
      splitLine: { lineStyle: { color: line } },
    },
    series: [
      {
        type: 'line',
        data: [],
        silent: true,
        ...baselineOf(plot, levels, colors),
        ...changesOf(plot, marks),
      },
      ...plot.lines.flatMap((one, i) => seriesOf(plot, one, i)),
    ],
  };
}

/** From the least to the greatest value, with some air. */
function spanOf({ points }: TrendPlot, levels: readonly BaselineLevel[]): [number, number] {
  const lows = [
    ...points.map(({ point }) => point.spread?.min ?? point.value),
    ...levels.map((one) => one.low),
  ];
  const highs = [
    ...points.map(({ point }) => point.spread?.p95 ?? point.value),
    ...levels.map((one) => one.high),
  ];
  const low = lows.reduce((a, b) => Math.min(a, b), Infinity);
  const high = highs.reduce((a, b) => Math.max(a, b), -Infinity);
  const least = Math.max(Math.abs(high) * LEAST_SPAN_RATIO, Number.MIN_VALUE);
  const half = (Math.max(high - low, least) / 2) * AIR;
  const middle = (low + high) / 2;
  return [low >= 0 ? Math.max(0, middle - half) : middle - half, middle + half];
}

function seriesOf(plot: TrendPlot, { points }: TrendLine, i: number): object[] {
  const own = plot.points.filter((one) => one.line === i);
  const color = LINE_COLORS[i];
  const values = own.map(({ x, point }) => [x, point.value]);
  const isDense = plot.points.length > MOST_JOINED;
  const isDays = points.some(({ spread }) => spread);
  if (isDense && !isDays)
    return [{ type: 'scatter', data: values, color, symbolSize: 3, large: true, silent: true }];
  const lines = {
    ...{
      type: 'line',
      data: values,
      color,
      silent: true,
      symbolSize: 5,
      symbol: 'circle',
      showSymbol: !isDense,
    },
    lineStyle: { width: isDays ? 2 : 1, opacity: isDays ? 1 : 0.5 },
  };
  return isDays && plot.lines.length <= MOST_BANDS ? [...bandOf(plot, i), lines] : [lines];
}

/** From the minimum to the 95th percentile of each day. */
function bandOf(plot: TrendPlot, i: number): object[] {
  const own = plot.points.filter((one) => one.line === i);
  const band = { type: 'line', stack: `band ${i}`, silent: true, symbol: 'none', lineStyle: { opacity: 0 } };
  const minimum = ({ point }: (typeof own)[number]) => point.spread?.min ?? point.value;
  return [
    { ...band, data: own.map((one) => [one.x, minimum(one)]) },
    {
      ...band,
      data: own.map((one) => [one.x, (one.point.spread?.p95 ?? one.point.value) - minimum(one)]),
      areaStyle: { color: LINE_COLORS[i], opacity: 0.18 },
    },
  ];
}

function baselineOf(plot: TrendPlot, levels: readonly BaselineLevel[], { isDark }: ChartColors) {
  const color = isDark ? 'rgba(255, 255, 255, 0.09)' : 'rgba(0, 0, 0, 0.06)';
  return {
    markArea: {
      silent: true,
      itemStyle: { color },
      data: levels.map(({ fromMs, toMs, low, high }) => [
        { xAxis: placeOf(plot, fromMs), yAxis: low },
        { xAxis: placeOf(plot, toMs), yAxis: high },
      ]),
    },
  };
}

function changesOf(plot: TrendPlot, marks: readonly TrendMark[]) {
  return {
    markLine: {
      silent: true,
      symbol: 'none',
      label: { show: false },
      data: marks.map(({ atMs, kind }) => ({
        xAxis: placeOf(plot, atMs),
        lineStyle: { color: MARK_COLORS[kind], type: kind === 'accepted' ? 'dotted' : 'dashed', width: 1.5 },
      })),
    },
  };
}
