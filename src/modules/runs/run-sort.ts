import { METRIC_CATALOG } from '../../analysis';

/** The order of a list of runs. */
export type RunSort = { by: 'createdAt'; descending: boolean } | MetricSort;
/** By a metric of the newest report; runs without a value come last, the newest of them first. */
export interface MetricSort {
  by: 'metric';
  metricId: string;
  descending: boolean;
}

export const METRIC_IDS: readonly string[] = METRIC_CATALOG.map(({ id }) => id);
export const knownMetrics = `the metrics are ${METRIC_IDS.join(', ')}`;

/** Reads `createdAt`, `metric:<id>`, or one of them after a minus; undefined when it is none of these. */
export function readSort(text: string): RunSort | undefined {
  const descending = text.startsWith('-');
  const key = descending ? text.slice(1) : text;
  if (key === 'createdAt') return { by: 'createdAt', descending };
  const metricId = /^metric:(.+)$/.exec(key)?.[1];
  return metricId !== undefined && METRIC_IDS.includes(metricId)
    ? { by: 'metric', metricId, descending }
    : undefined;
}
