import { LineChart } from 'echarts/charts';
import { MarkLineComponent } from 'echarts/components';
import { type EChartsCoreOption, use as register } from 'echarts/core';
import { useCallback } from 'react';
import { formatFigure } from '../../../src/presentation/quantity';
import { Chart } from '../chart/chart';
import { type ChartColors } from '../chart/chart-colors';
import { metricName, movement } from '../explanation/change-words';
import { type Regression } from './regression-query';
import { type TrendPoint } from './trend-points';

register([LineChart, MarkLineComponent]);

const GOOD = '#4c6ef5';
const BAD = '#e03131';

type Change = Pick<Regression, 'metricId' | 'unit' | 'before' | 'after' | 'firstBad' | 'changeRatio'>;

/** The points, good ones and bad ones told apart, with both levels; the table below it says the same. */
export function TrendAroundChart({
  points,
  regression,
}: {
  points: readonly TrendPoint[];
  regression: Change;
}) {
  const { metricId, unit, before, after, changeRatio } = regression;
  const firstBadMs = Date.parse(regression.firstBad.at);
  const option = useCallback(
    (colors: ChartColors) => toOption(points, { unit, before, after, firstBadMs }, colors),
    [after, before, firstBadMs, points, unit],
  );
  const moved = movement({ metricId, unit, before, after, changeRatio });
  const label = `${metricName(metricId)} of ${points.length} points in the order of time; it ${moved}`;
  return <Chart label={label} heightPx={220} option={option} />;
}

interface Levels {
  unit: string;
  before: number;
  after: number;
  firstBadMs: number;
}

function toOption(points: readonly TrendPoint[], levels: Levels, colors: ChartColors): EChartsCoreOption {
  const { text, line, surface } = colors;
  const { unit, firstBadMs } = levels;
  const figure = (value: number) => formatFigure({ value, unit });
  const data = points.map(({ atMs, value, name }) => ({ value: [atMs, value], name }));
  return {
    grid: { left: 8, right: 16, top: 24, bottom: 4, containLabel: true },
    tooltip: {
      trigger: 'item',
      confine: true,
      ...{ backgroundColor: surface, borderColor: line, textStyle: { color: text } },
      formatter: ({ data: { name, value } }: { data: { name: string; value: [number, number] } }) =>
        `${new Date(value[0]).toLocaleString()}<br>${escapeHtml(name)}: <b>${figure(value[1])}</b>`,
    },
    xAxis: {
      type: 'time',
      axisLabel: { color: text, hideOverlap: true },
      axisLine: { lineStyle: { color: line } },
    },
    yAxis: {
      type: 'value',
      scale: true,
      splitNumber: 4,
      axisLabel: { color: text, formatter: figure },
      splitLine: { lineStyle: { color: line } },
    },
    series: [
      {
        type: 'line',
        lineStyle: { color: line, width: 1 },
        symbol: 'circle',
        symbolSize: 6,
        data: data.map((point) => ({
          ...point,
          itemStyle: { color: point.value[0] < firstBadMs ? GOOD : BAD },
        })),
        markLine: levelLines(points, levels, colors),
      },
    ],
  };
}

/** The level before, the level after, and where the one ends. */
function levelLines(points: readonly TrendPoint[], levels: Levels, { text }: ChartColors) {
  const { before, after, firstBadMs } = levels;
  const from = Math.min(points[0].atMs, firstBadMs);
  const to = Math.max(points[points.length - 1].atMs, firstBadMs);
  const level = (value: number, startMs: number, endMs: number, color: string) => [
    { coord: [startMs, value], lineStyle: { color } },
    { coord: [endMs, value] },
  ];
  return {
    silent: true,
    symbol: 'none',
    label: { show: false },
    data: [
      level(before, from, firstBadMs, GOOD),
      level(after, firstBadMs, to, BAD),
      {
        xAxis: firstBadMs,
        lineStyle: { color: text },
        label: { show: true, formatter: 'first bad run', color: text, position: 'end' },
      },
    ],
  };
}

/** Names of commits come from clients. */
function escapeHtml(name: string): string {
  return name.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
