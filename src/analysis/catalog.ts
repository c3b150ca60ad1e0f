import { METRICS } from './metrics';
import { type Metric } from './metrics/define-metric';
import { RULES } from './rules';
import { type Rule } from './rules/define-rule';

/** A metric as those see it who read values instead of computing them. */
export type MetricEntry = Pick<Metric, 'id' | 'unit' | 'direction'>;
/** A rule as those see it who read findings. */
export type RuleEntry = Pick<Rule, 'id' | 'bottleneck'>;

/** Every metric that this release computes, in the order of reports. */
export const METRIC_CATALOG: readonly MetricEntry[] = METRICS.map(({ id, unit, direction }) => ({
  id,
  unit,
  direction,
}));

/** Every rule that this release asks. */
export const RULE_CATALOG: readonly RuleEntry[] = RULES.map(({ id, bottleneck }) => ({ id, bottleneck }));
