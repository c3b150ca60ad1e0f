import { useComputedColorScheme } from '@mantine/core';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type EChartsCoreOption, type EChartsType, init, use as register } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { theme } from '../theme';
import { type ChartColors, chartColors } from './chart-colors';

register([GridComponent, TooltipComponent, LegendComponent, AriaComponent, SVGRenderer, CanvasRenderer]);

interface Props {
  /** What the chart shows, for those who cannot see it; the same figures stand in a table beside it. */
  label: string;
  heightPx: number;
  /** SVG, whose text can be read, unless there are thousands of marks. */
  renderer?: 'svg' | 'canvas';
  /** Keep it the same (useCallback) while nothing changed: a new function draws anew. */
  option: (colors: ChartColors) => EChartsCoreOption;
  /** Called once for each chart, for events; the same holds. */
  onReady?: (chart: EChartsType) => void;
}

/** A chart as wide as its place, in the colours of the page. Import it lazily: the library is larger than all else. */
export function Chart({ label, heightPx, renderer = 'svg', option, onReady }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const chart = init(element, null, { renderer });
    const colors = chartColors(isDark);
    const textStyle = { fontFamily: theme.fontFamily, color: colors.text };
    chart.setOption({ animation: false, textStyle, ...option(colors) });
    onReady?.(chart);
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [isDark, onReady, option, renderer]);
  return <div ref={place} role="img" aria-label={label} style={{ height: heightPx }} />;
}
