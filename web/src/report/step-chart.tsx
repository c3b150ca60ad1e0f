import { BarChart } from 'echarts/charts';
import { DataZoomComponent } from 'echarts/components';
import { type EChartsCoreOption, use as register } from 'echarts/core';
import { useCallback } from 'react';
import { formatNs } from '../../../src/presentation/quantity';
import { Chart } from '../chart/chart';
import { type ChartColors } from '../chart/chart-colors';
import { type ShownReport } from './report-query';
import { STEP_PARTS } from './step-parts';

register([BarChart, DataZoomComponent]);

const NS_PER_MS = 1e6;
/** More bars than this are narrower than a name: then there is a slider. */
const BARS_IN_VIEW = 60;

/** Stacked bars, a bar for each step of each rank; the table below it says the same to those who cannot see it. */
export function StepChart({ ranks }: { ranks: ShownReport['ranks'] }) {
  const option = useCallback((colors: ChartColors) => toOption(ranks, colors), [ranks]);
  return <Chart label="Parts of each step, by rank" heightPx={320} option={option} />;
}

function toOption(ranks: ShownReport['ranks'], { text, line, surface }: ChartColors): EChartsCoreOption {
  const bars = ranks.flatMap(({ rank, steps }) => steps.map((step) => ({ rank, step })));
  const parts = STEP_PARTS.filter(({ ns }) => bars.some(({ step }) => ns(step) > 0));
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
      data: bars.map(({ rank, step }) => `rank ${rank}\nstep ${step.index}`),
      axisLabel: { color: text, hideOverlap: true, lineHeight: 15 },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      axisLabel: { color: text, formatter: (ms: number) => formatNs(ms * NS_PER_MS) },
      splitLine: { lineStyle: { color: line } },
    },
    series: parts.map(({ label, color, ns }) => ({
      type: 'bar',
      name: label,
      stack: 'step',
      color,
      barMaxWidth: 48,
      data: bars.map(({ step }) => ({
        value: ns(step) / NS_PER_MS,
        // Steps that no mean counts are pale.
        itemStyle: { opacity: step.excluded === null ? 1 : 0.4 },
      })),
    })),
  };
}
