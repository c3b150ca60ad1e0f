import { LineChart, ScatterChart } from 'echarts/charts';
import { MarkAreaComponent, MarkLineComponent } from 'echarts/components';
import { type EChartsType, use as register } from 'echarts/core';
import { useCallback, useMemo, useState } from 'react';
import { Chart } from '../chart/chart';
import { type ChartColors } from '../chart/chart-colors';
import { CHART_HEIGHT_PX } from './chart-height';
import { ChartOverlay, type OverlayProps } from './chart-overlay';
import { type Drawn, trendOption } from './trend-option';
import { type Projection } from './trend-plot';
import classes from './trend-chart.module.css';

register([LineChart, ScatterChart, MarkAreaComponent, MarkLineComponent]);

interface Props extends Omit<OverlayProps, 'projection'> {
  label: string;
  drawn: Drawn;
}

/** The chart, and over it what answers to pointer and keyboard. */
export function TrendChart({ label, drawn, ...props }: Props) {
  const [chart, setChart] = useState<EChartsType | null>(null);
  // Counts how often the places of points may have moved.
  const [moves, setMoves] = useState(0);
  const option = useCallback((colors: ChartColors) => trendOption(drawn, colors), [drawn]);
  const onReady = useCallback((ready: EChartsType) => {
    setChart(ready);
    ready.on('finished', () => setMoves((count) => count + 1));
  }, []);
  const projection = useMemo(() => (chart && moves > 0 ? projectionOf(chart) : null), [chart, moves]);
  return (
    <div className={classes.place}>
      <Chart label={label} heightPx={CHART_HEIGHT_PX} renderer="canvas" option={option} onReady={onReady} />
      {projection && <ChartOverlay {...props} projection={projection} />}
    </div>
  );
}

/** A chart that has been thrown away gives no places; another takes its place at once. */
function projectionOf(chart: EChartsType): Projection {
  const grid = { xAxisIndex: 0, yAxisIndex: 0 };
  return {
    toPx: (x, value) =>
      chart.isDisposed() ? [0, 0] : (chart.convertToPixel(grid, [x, value]) as [number, number]),
    toX: (px) => (chart.isDisposed() ? 0 : (chart.convertFromPixel(grid, [px, 0]) as [number, number])[0]),
  };
}
