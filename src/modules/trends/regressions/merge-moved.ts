import { type MovedMetric } from '../../../analysis';

/** (after − before) / |before|; 0 where there was nothing before, which has no ratio. */
export function changeRatioOf({ before, after }: { before: number; after: number }): number {
  return before === 0 ? 0 : (after - before) / Math.abs(before);
}

/**
 * The metrics of a regression after its level moved once more: each from where it was before the regression to where it is now.
 * Those that a later move left alone stay as they are.
 */
export function mergeMoved(known: readonly MovedMetric[], moved: readonly MovedMetric[]): MovedMetric[] {
  const merged = new Map(known.map((one) => [one.metricId, one]));
  for (const { metricId, before, after } of moved) {
    const figures = { before: merged.get(metricId)?.before ?? before, after };
    merged.set(metricId, { metricId, ...figures, changeRatio: changeRatioOf(figures) });
  }
  return [...merged.values()];
}
