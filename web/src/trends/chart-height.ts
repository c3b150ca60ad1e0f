/** Known before the chart is loaded. */
export const CHART_HEIGHT_PX = 380;
