import { BarChart, LineChart } from 'echarts/charts';
import { type EChartsCoreOption, use as register } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { useCallback } from 'react';
import { formatNs } from '../../../src/presentation/quantity';
import { Chart } from '../chart/chart';
import { type ChartColors } from '../chart/chart-colors';
import { type Rung } from './ladder-queries';
import { speedupText } from './rung-figures';

register([BarChart, LineChart, LabelLayout]);

const BAR_COLORS: Readonly<Record<Rung['verdict'], string>> = {
  baseline: '#4c6ef5',
  keep: '#0b9480',
  revert: '#e03131',
  'within-noise': '#868e96',
  'not-comparable': '#b08200',
};
/** A bar for the step time of each rung, and a line for what was gained in all. The table has the same figures. */
export function LadderChart({ rungs }: { rungs: readonly Rung[] }) {
  const option = useCallback((colors: ChartColors) => toOption(rungs, colors), [rungs]);
  return <Chart label="Step time of each rung, and gain in all" heightPx={300} option={option} />;
}

function toOption(rungs: readonly Rung[], { text, line, surface }: ChartColors): EChartsCoreOption {
  const axis = { axisLine: { lineStyle: { color: line } }, axisTick: { show: false } };
  return {
    legend: { top: 0, textStyle: { color: text } },
    grid: { left: 8, right: 8, top: 44, bottom: 8, containLabel: true },
    tooltip: {
      trigger: 'axis',
      backgroundColor: surface,
      borderColor: line,
      textStyle: { color: text },
      confine: true,
    },
    xAxis: {
      ...axis,
      type: 'category',
      data: rungs.map(({ label }, i) => `${i} ${label}`),
      axisLabel: { color: text, hideOverlap: true, width: 110, overflow: 'truncate' },
    },
    yAxis: [
      {
        type: 'value',
        axisLabel: { color: text, formatter: (ns: number) => formatNs(ns) },
        splitLine: { lineStyle: { color: line } },
      },
      {
        type: 'value',
        min: 0,
        axisLabel: { color: text, formatter: (times: number) => `${times}x` },
        splitLine: { show: false },
      },
    ],
    series: [
      {
        type: 'bar',
        name: 'Step time',
        color: BAR_COLORS.keep,
        barMaxWidth: 56,
        data: rungs.map(({ step, verdict }) => ({
          value: step?.ns ?? null,
          itemStyle: { color: BAR_COLORS[verdict] },
        })),
        labelLayout: { hideOverlap: true },
        label: {
          show: true,
          position: 'top',
          color: text,
          formatter: ({ value }: { value: number }) => formatNs(value),
        },
        tooltip: { valueFormatter: (ns: number | null) => (ns === null ? '–' : formatNs(ns)) },
      },
      {
        type: 'line',
        name: 'Gain in all',
        yAxisIndex: 1,
        color: '#d9700a',
        symbolSize: 7,
        connectNulls: true,
        data: rungs.map(({ cumulativeSpeedup }) => cumulativeSpeedup),
        tooltip: { valueFormatter: (times: number | null) => (times === null ? '–' : speedupText(times)) },
      },
    ],
  };
}
