import { BarChart } from 'echarts/charts';
import { type EChartsCoreOption, use as register } from 'echarts/core';
import { useCallback } from 'react';
import { Chart } from '../chart/chart';
import { type ChartColors } from '../chart/chart-colors';
import { colorOf } from '../report/step-parts';
import { formatChange } from './change-words';
import { type Explanation } from './explanation';
import { PART_LABELS } from './part-labels';

register([BarChart]);

const BAR_PX = 34;
const NS_PER_MS = 1e6;

/** A bar for each part of the step: right is longer, left is shorter. The table beside it says the same. */
export function PartChart({ parts }: { parts: Explanation['parts'] }) {
  const option = useCallback((colors: ChartColors) => toOption(parts, colors), [parts]);
  return (
    <Chart
      label="By how much each part of the step changed"
      heightPx={parts.length * BAR_PX + 40}
      option={option}
    />
  );
}

function toOption(parts: Explanation['parts'], { text, line }: ChartColors): EChartsCoreOption {
  return {
    // Room for the figures beside the bars.
    grid: { left: 8, right: 72, top: 4, bottom: 8, containLabel: true },
    xAxis: {
      type: 'value',
      axisLabel: { color: text, hideOverlap: true, formatter: (ms: number) => formatChange(ms * NS_PER_MS) },
      splitLine: { lineStyle: { color: line } },
      splitNumber: 4,
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: parts.map(({ part }) => PART_LABELS[part]),
      axisLabel: { color: text },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 20,
        data: parts.map(({ part, changeNs }) => ({
          value: changeNs / NS_PER_MS,
          itemStyle: { color: colorOf(PART_LABELS[part]) },
        })),
        label: {
          show: true,
          position: 'right',
          color: text,
          formatter: ({ value }: { value: number }) => formatChange(value * NS_PER_MS),
        },
      },
    ],
  };
}
