import { Text } from '@mantine/core';
import { BarChart } from 'echarts/charts';
import { type EChartsCoreOption, use as register } from 'echarts/core';
import { useCallback, useMemo } from 'react';
import { formatNs } from '../../../src/presentation/quantity';
import { Chart } from '../chart/chart';
import { type ChartColors } from '../chart/chart-colors';
import { formatChange } from '../explanation/change-words';
import { type Explanation } from '../explanation/explanation';
import { axisStart, type Bar, waterfallBars } from './waterfall-bars';

register([BarChart]);

const BAR_PX = 34;
const NS_PER_MS = 1e6;
const COLORS = { step: '#868e96', longer: '#e03131', shorter: '#0ca678' };

/** From the step before to the step after: a bar for what each part added or took away. The table beside it says the same. */
export function WaterfallChart({ explanation }: { explanation: Explanation }) {
  const bars = useMemo(() => waterfallBars(explanation), [explanation]);
  const startNs = axisStart(bars);
  const option = useCallback((colors: ChartColors) => toOption(bars, startNs, colors), [bars, startNs]);
  return (
    <div>
      <Chart
        label="What each part added to the step or took from it"
        heightPx={bars.length * BAR_PX + 40}
        option={option}
      />
      <Text size="xs" c="dimmed">
        Red is longer, green is shorter.{startNs > 0 && ` The axis begins at ${formatNs(startNs)}.`}
      </Text>
    </div>
  );
}

function toOption(bars: readonly Bar[], startNs: number, { text, line }: ChartColors): EChartsCoreOption {
  return {
    // Room for the figures beside the bars.
    grid: { left: 8, right: 76, top: 4, bottom: 8, containLabel: true },
    xAxis: {
      type: 'value',
      min: startNs / NS_PER_MS,
      axisLabel: { color: text, hideOverlap: true, formatter: (ms: number) => formatNs(ms * NS_PER_MS) },
      splitLine: { lineStyle: { color: line } },
      splitNumber: 4,
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.map(({ label }) => label),
      axisLabel: { color: text, width: 150, lineHeight: 14, overflow: 'break' },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    },
    series: [
      {
        type: 'bar',
        stack: 'step',
        silent: true,
        itemStyle: { color: 'transparent' },
        data: bars.map(({ fromNs, toNs }) => Math.min(fromNs, toNs) / NS_PER_MS),
      },
      {
        type: 'bar',
        stack: 'step',
        barMaxWidth: 20,
        data: bars.map((bar) => ({
          value: Math.abs(bar.toNs - bar.fromNs) / NS_PER_MS,
          itemStyle: { color: colorOf(bar) },
        })),
        label: {
          show: true,
          position: 'right',
          color: text,
          formatter: ({ dataIndex }: { dataIndex: number }) => figureOf(bars[dataIndex]),
        },
      },
    ],
  };
}

const colorOf = ({ isStep, fromNs, toNs }: Bar) =>
  isStep ? COLORS.step : toNs > fromNs ? COLORS.longer : COLORS.shorter;

const figureOf = ({ isStep, fromNs, toNs }: Bar) => (isStep ? formatNs(toNs) : formatChange(toNs - fromNs));
