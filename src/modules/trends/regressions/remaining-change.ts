import { levelOf as levelOfValues, median, type MovedMetric } from '../../../analysis';
import { type HistoryPoint } from '../history.repository';
import { type MetricSensitivity } from '../sensitivity';
import { type FollowedRegression, type MovedLevel } from './regression-state.repository';

interface Points {
  histories: ReadonlyMap<string, readonly HistoryPoint[]>;
  sensitivities: readonly MetricSensitivity[];
}

/** Level of a metric over the runs from then on; undefined without any. */
export function levelOf({ histories }: Points, metricId: string, since: Date): number | undefined {
  const values = valuesSince(histories.get(metricId) ?? [], since);
  return values.length === 0 ? undefined : median(values);
}

/**
 * What is left of a regression whose own metric is back from `since` on: another metric that people are told about, that got
 * worse with it and is still nearer to its bad level than to its good one. Undefined when nothing is.
 */
export function remainingChange(
  points: Points,
  { metricId: own, metrics, firstBadAt }: FollowedRegression,
  since: Date,
): Omit<MovedLevel, 'metrics' | 'since'> | undefined {
  for (const { metric, alerts } of points.sensitivities) {
    const moved = metrics.find(({ metricId }) => metricId === metric.id);
    if (!moved || !alerts || metric.id === own || !isWorse(moved, metric.direction)) continue;
    const level = levelOf(points, metric.id, since);
    if (level === undefined || Math.abs(level - moved.before) <= Math.abs(level - moved.after)) continue;
    const bad = valuesSince(points.histories.get(metric.id) ?? [], firstBadAt);
    return { metricId: metric.id, before: moved.before, after: level, sigma: levelOfValues(bad).sigma };
  }
  return undefined;
}

function isWorse({ before, after }: MovedMetric, direction: MetricSensitivity['metric']['direction']) {
  if (direction === 'neutral') return false;
  return after > before === (direction === 'lower-is-better');
}

function valuesSince(points: readonly HistoryPoint[], since: Date): number[] {
  return points.filter(({ at }) => at >= since).map(({ value }) => value);
}
