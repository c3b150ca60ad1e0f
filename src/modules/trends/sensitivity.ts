import { ALERT_METRICS, DEFAULT_SHIFT_RULES, type Metric, METRICS, type ShiftRules } from '../../analysis';

/** What a team says about the detection of changes, for all metrics (empty id) or for one. */
export interface TrendSetting {
  metricId: string;
  minChangeRatio: number | null;
  minScore: number | null;
  alerts: boolean | null;
}

/** How changes of one metric are found. */
export interface MetricSensitivity {
  metric: Metric;
  rules: ShiftRules;
  alerts: boolean;
}

/** The rules of every metric, the alerting ones first and in the order of `ALERT_METRICS`: settings of the metric, of the team, defaults. */
export function sensitivities(settings: readonly TrendSetting[]): MetricSensitivity[] {
  const settingOf = (metricId: string) => settings.find((one) => one.metricId === metricId);
  const team = settingOf('');
  const all = METRICS.map((metric) => {
    const own = settingOf(metric.id);
    const isAlert = (ALERT_METRICS as readonly string[]).includes(metric.id);
    return {
      metric,
      alerts: own?.alerts ?? isAlert,
      rules: {
        ...DEFAULT_SHIFT_RULES,
        minChangeRatio: own?.minChangeRatio ?? team?.minChangeRatio ?? DEFAULT_SHIFT_RULES.minChangeRatio,
        minScore: own?.minScore ?? team?.minScore ?? DEFAULT_SHIFT_RULES.minScore,
      },
    };
  });
  const rank = ({ metric }: MetricSensitivity) => {
    const index = (ALERT_METRICS as readonly string[]).indexOf(metric.id);
    return index === -1 ? ALERT_METRICS.length : index;
  };
  return all.sort((a, b) => rank(a) - rank(b));
}
