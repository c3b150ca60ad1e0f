import { type Metric } from '../metrics/define-metric';
import { findLatestShift, leastChange, type LevelShift, type ShiftRules } from './level-shift';
import { median } from './robust-statistics';
import { collapseRepeats, type SeriesPoint } from './series-point';

/**
 * The metrics that a person is told about, the most telling first. The others move with them and are shown beside: one
 * slow-down is one regression, not one for each of its symptoms.
 */
export const ALERT_METRICS = ['unprofiled-step-time', 'step-time', 'mfu'] as const;

/** The runs of one metric since the level last changed, oldest first, the newest run among them. */
export interface MetricHistory {
  metricId: string;
  direction: Metric['direction'];
  rules: ShiftRules;
  /** Whether a change of it is told by itself. */
  alerts: boolean;
  points: readonly SeriesPoint[];
}

/** A metric that moved with a change. */
export interface MovedMetric {
  metricId: string;
  before: number;
  after: number;
  /** (after − before) / |before|; 0 from a level of 0, which has no ratio. */
  changeRatio: number;
}

/** A level that changed for the better or the worse. */
export interface DetectedChange extends Pick<
  LevelShift,
  'before' | 'after' | 'changeRatio' | 'score' | 'sigma'
> {
  metricId: string;
  kind: 'worse' | 'better';
  /** Index, among the points of `metricId`, of the first run on the new level. */
  firstIndex: number;
  moved: MovedMetric[];
}

/** The change of level that the newest run makes certain, by the first alerting metric that shows one. */
export function detectChange(histories: readonly MetricHistory[]): DetectedChange | undefined {
  for (const history of histories) {
    if (!history.alerts || history.direction === 'neutral') continue;
    const commits = collapseRepeats(history.points);
    const shift = findLatestShift(
      commits.map(({ value }) => value),
      history.rules,
    );
    if (!shift) continue;
    const { before, after, changeRatio, score, sigma } = shift;
    const firstIndex = commits[shift.index].firstIndex;
    const isBetter = after > before === (history.direction === 'higher-is-better');
    return {
      metricId: history.metricId,
      kind: isBetter ? 'better' : 'worse',
      ...{ before, after, changeRatio, score, sigma, firstIndex },
      moved: movedMetrics(histories, history.points.length - firstIndex),
    };
  }
  return undefined;
}

/** The metrics whose level over the last `recentRuns` differs by more than what nobody minds. */
function movedMetrics(histories: readonly MetricHistory[], recentRuns: number): MovedMetric[] {
  return histories.flatMap(({ metricId, points, rules }) => {
    const split = points.length - recentRuns;
    if (split < rules.minBaselineRuns) return [];
    const before = median(points.slice(0, split).map(({ value }) => value));
    const after = median(points.slice(split).map(({ value }) => value));
    const change = after - before;
    if (change === 0 || Math.abs(change) < leastChange(before, rules)) return [];
    return [{ metricId, before, after, changeRatio: before === 0 ? 0 : change / Math.abs(before) }];
  });
}

/** Whether a level is back at that from before a regression, as far as anybody minds. */
export function isRecovered(
  level: number,
  before: number,
  direction: Metric['direction'],
  { minChangeRatio }: ShiftRules,
): boolean {
  const worse = direction === 'higher-is-better' ? before - level : level - before;
  return worse <= minChangeRatio * Math.abs(before);
}
