import { ALERT_METRICS, DEFAULT_SHIFT_RULES, type Metric, METRICS, type ShiftRules } from '../../analysis';

/** Choices for those who do not want to think in numbers. */
export const SENSITIVITIES = ['low', 'normal', 'high'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];
type Thresholds = Pick<ShiftRules, 'minChangeRatio' | 'minScore'>;
export const PRESETS: Record<Sensitivity, Thresholds> = {
  low: { minChangeRatio: 0.05, minScore: 6 },
  normal: DEFAULT_SHIFT_RULES,
  high: { minChangeRatio: 0.01, minScore: 4 },
};

/** What a team says about the detection of changes, for all metrics (empty id) or for one; numbers go before the sensitivity. */
export interface TrendSetting {
  metricId: string;
  minChangeRatio: number | null;
  minScore: number | null;
  sensitivity: string | null;
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
  const team = thresholdsOf(settingOf(''), DEFAULT_SHIFT_RULES);
  const all = METRICS.map((metric) => {
    const own = settingOf(metric.id);
    const isAlert = (ALERT_METRICS as readonly string[]).includes(metric.id);
    return {
      metric,
      alerts: own?.alerts ?? isAlert,
      rules: { ...DEFAULT_SHIFT_RULES, ...thresholdsOf(own, team) },
    };
  });
  const rank = ({ metric }: MetricSensitivity) => {
    const index = (ALERT_METRICS as readonly string[]).indexOf(metric.id);
    return index === -1 ? ALERT_METRICS.length : index;
  };
  return all.sort((a, b) => rank(a) - rank(b));
}

/** What a setting says, and where it says nothing, what holds otherwise. */
function thresholdsOf(setting: TrendSetting | undefined, otherwise: Thresholds): Thresholds {
  const known = SENSITIVITIES.find((one) => one === setting?.sensitivity);
  const preset = known ? PRESETS[known] : otherwise;
  return {
    minChangeRatio: setting?.minChangeRatio ?? preset.minChangeRatio,
    minScore: setting?.minScore ?? preset.minScore,
  };
}

/** The metric that the others are parts of. */
export const STEP_TIME = 'step-time';
/** What a part of the step changes by is told from this share of the step on. */
const LEAST_SHARE_OF_STEP = 0.005;

/** The same for runs whose step takes so long, ns; undefined where it is not known. */
export function atStepTime(
  all: readonly MetricSensitivity[],
  stepNs: number | undefined,
): MetricSensitivity[] {
  const minChange = LEAST_SHARE_OF_STEP * (stepNs ?? 0);
  return all.map((one) => (one.metric.isPartOfStep ? { ...one, rules: { ...one.rules, minChange } } : one));
}
