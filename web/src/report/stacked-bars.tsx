import { BarChart } from 'echarts/charts';
import { DataZoomComponent } from 'echarts/components';
import { type EChartsCoreOption, use as register } from 'echarts/core';
import { useCallback } from 'react';
import { formatNs } from '../../../src/presentation/quantity';
import { Chart } from '../chart/chart';
import { type ChartColors } from '../chart/chart-colors';

register([BarChart, DataZoomComponent]);

const NS_PER_MS = 1e6;
/** More bars than this are narrower than a name: then there is a slider. */
const BARS_IN_VIEW = 60;

export interface Bar {
  name: string;
  /** One for each part. */
  partsNs: readonly number[];
  /** True for what no mean counts. */
  isPale?: boolean;
}

interface Props {
  label: string;
  parts: readonly { label: string; color: string }[];
  /** The same array while nothing changed. */
  bars: readonly Bar[];
}

/** Times in parts, a stacked bar for each; a table beside it says the same to those who cannot see it. */
export function StackedBars({ label, parts, bars }: Props) {
  const option = useCallback((colors: ChartColors) => toOption(parts, bars, colors), [parts, bars]);
  return <Chart label={label} heightPx={320} option={option} />;
}

function toOption(
  parts: Props['parts'],
  bars: readonly Bar[],
  { text, line, surface }: ChartColors,
): EChartsCoreOption {
  const isCrowded = bars.length > BARS_IN_VIEW;
  return {
    legend: { top: 0, type: 'scroll', textStyle: { color: text }, pageTextStyle: { color: text } },
    grid: { left: 56, right: 8, top: 36, bottom: isCrowded ? 72 : 44 },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      valueFormatter: (ms: number) => formatNs(ms * NS_PER_MS),
      backgroundColor: surface,
      borderColor: line,
      textStyle: { color: text },
      confine: true,
    },
    dataZoom: isCrowded
      ? [{ type: 'slider', endValue: BARS_IN_VIEW - 1, startValue: 0, height: 20, bottom: 8 }]
      : [],
    xAxis: {
      type: 'category',
      data: bars.map(({ name }) => name),
      axisLabel: { color: text, hideOverlap: true, lineHeight: 15 },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      axisLabel: { color: text, formatter: (ms: number) => formatNs(ms * NS_PER_MS) },
      splitLine: { lineStyle: { color: line } },
    },
    series: parts.map(({ label, color }, i) => ({
      type: 'bar',
      name: label,
      stack: 'parts',
      color,
      barMaxWidth: 48,
      data: bars.map(({ partsNs, isPale }) => ({
        value: partsNs[i] / NS_PER_MS,
        itemStyle: { opacity: isPale ? 0.4 : 1 },
      })),
    })),
  };
}
