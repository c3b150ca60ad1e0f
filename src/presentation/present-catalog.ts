import { z } from 'zod';
import { BOTTLENECKS, FIGURE_UNITS, METRIC_CATALOG, RULE_CATALOG } from '../analysis';
import { FINDING_WORDING } from './wording/findings';
import { METRIC_WORDING } from './wording/metrics';
import { RULE_DESCRIPTIONS } from './wording/rules';

export const presentedMetricSchema = z.object({
  id: z.string().meta({ example: 'mfu' }),
  name: z.string(),
  description: z.string(),
  unit: z.enum(FIGURE_UNITS).describe('Durations are ns, ratios 0 to 1.'),
  direction: z.enum(['lower-is-better', 'higher-is-better', 'neutral']),
  headline: z.boolean().describe('Whether lists of runs show it.'),
});

export const presentedRuleSchema = z.object({
  id: z.string().meta({ example: 'input-pipeline-starvation' }),
  name: z.string(),
  description: z.string(),
  bottleneck: z.enum(BOTTLENECKS).describe('The verdict of a run whose costliest finding is of this rule.'),
  verify: z.string().describe('How to see that a fix worked.'),
});

/** Every metric with its words, in the order of reports. */
export const PRESENTED_METRICS: readonly z.infer<typeof presentedMetricSchema>[] = METRIC_CATALOG.map(
  ({ id, unit, direction }) => {
    const { name = id, description = '', headline = false } = METRIC_WORDING[id] ?? {};
    return { id, name, description, unit, direction, headline };
  },
);

/** Every rule with its words. */
export const PRESENTED_RULES: readonly z.infer<typeof presentedRuleSchema>[] = RULE_CATALOG.map(
  ({ id, bottleneck }) => {
    const { title: name = id, verify = '' } = FINDING_WORDING[id] ?? {};
    return { id, name, description: RULE_DESCRIPTIONS[id] ?? '', bottleneck, verify };
  },
);
