import { METRIC_IDS } from './run-sort';

/** Runs whose newest report has a value of this metric, within the bounds. */
export interface MetricRange {
  metricId: string;
  /** Both inclusive; without both, any value. */
  min?: number;
  max?: number;
}

const NUMBER = String.raw`-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?`;
const RANGE = new RegExp(`^([a-z0-9-]+):(${NUMBER})?\\.\\.(${NUMBER})?$`);

/** Reads `<metric>:<min>..<max>`, either bound left out for none; else says what is wrong. */
export function readMetricRange(text: string): MetricRange | string {
  const match = RANGE.exec(text);
  if (!match) return 'must be <metric>:<min>..<max>, such as mfu:0.3..0.5 or step-time:..250e6';
  const [, metricId, min, max] = match as (string | undefined)[];
  if (metricId === undefined || !METRIC_IDS.includes(metricId)) {
    return `has an unknown metric; the metrics are ${METRIC_IDS.join(', ')}`;
  }
  if (min !== undefined && max !== undefined && Number(min) > Number(max)) return 'has its bounds swapped';
  return {
    metricId,
    ...(min === undefined ? {} : { min: Number(min) }),
    ...(max === undefined ? {} : { max: Number(max) }),
  };
}
