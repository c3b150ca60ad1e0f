import { z } from 'zod';
import { METRICS } from '../metrics';

/** A text on one line: names go into queries, logs and pull requests. */
const line = (maxChars: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxChars)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'must not contain control characters');

const MAX_COMMITS = 100;
const commits = z
  .int()
  .min(1)
  .max(MAX_COMMITS)
  .default(20)
  .describe('So many of the latest commits are looked at; repeated runs of a commit count as one.');

const baselineSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('branch'), branch: line(255), commits }),
    z.strictObject({ kind: z.literal('tag'), tag: line(100), commits }),
    z.strictObject({ kind: z.literal('run'), runId: z.uuid() }),
  ])
  .describe('What the run is compared with: earlier runs of a branch, or with a tag, or one pinned run.');

const evidenceSchema = z
  .strictObject({
    commits: z.int().min(1).max(MAX_COMMITS).default(5).describe('Commits that the baseline must have.'),
    runs: z.int().min(1).max(500).optional().describe('Runs that it must have; repeats count.'),
  })
  .describe('With less the rule is inconclusive. A pinned run is enough by itself.');

const whenInconclusive = z
  .enum(['inconclusive', 'pass', 'fail'])
  .describe('What a rule that cannot be judged counts as.');

const names = z.array(line(200)).min(1).max(50).optional();
const scopeSchema = z
  .strictObject({ models: names, clusters: names, workloads: names })
  .refine((scope) => Object.values(scope).some(Boolean), 'needs models, clusters or workloads')
  .describe('The rule is for runs of these only; every list that is given must hold.');

const ruleSchema = z.strictObject({
  metric: line(100).describe('Id of a metric of GET /v1/metrics-catalogue.'),
  maxWorseRatio: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(
      'How much worse than the baseline it may be, as a share: 0.03 is 3 %. Better is never too much.',
    ),
  min: z.number().optional().describe('Least value, in the unit of the metric.'),
  max: z.number().optional().describe('Largest value, in the unit of the metric.'),
  baseline: baselineSchema.optional(),
  minimumEvidence: evidenceSchema.optional(),
  whenInconclusive: whenInconclusive.optional(),
  scope: scopeSchema.optional(),
});

/** A policy as it is stored; metrics that it names may have gone since. */
export const storedGatePolicySchema = z.strictObject({
  version: z.literal(1).describe('Changes with incompatible changes of this format.').meta({ example: 1 }),
  description: line(500).optional(),
  rules: z
    .array(ruleSchema)
    .min(1)
    .max(50)
    .meta({ example: [{ metric: 'step-time', maxWorseRatio: 0.03 }] }),
  baseline: baselineSchema.optional().meta({ example: { kind: 'branch', branch: 'main', commits: 20 } }),
  minimumEvidence: evidenceSchema.default({ commits: 5 }),
  whenInconclusive: whenInconclusive.default('inconclusive'),
});
export type GatePolicy = z.output<typeof storedGatePolicySchema>;
export type GateRule = GatePolicy['rules'][number];
export type GateBaseline = z.output<typeof baselineSchema>;

/**
 * What a run must satisfy to pass, as data. Rules inherit baseline, minimumEvidence and whenInconclusive of the policy. What
 * could never be judged is refused here, not found out at night by a gate that says nothing.
 */
export const gatePolicySchema = storedGatePolicySchema.superRefine((policy, context) => {
  policy.rules.forEach((rule, index) => {
    for (const [field, message] of faultsOf(rule, policy)) {
      context.addIssue({ code: 'custom', path: ['rules', index, field], message });
    }
  });
});

function* faultsOf(rule: GateRule, policy: GatePolicy): Generator<[field: string, message: string]> {
  const { maxWorseRatio, min, max } = rule;
  const metric = METRICS.find(({ id }) => id === rule.metric);
  if (!metric) yield ['metric', 'is no metric; GET /v1/metrics-catalogue lists them'];
  if (maxWorseRatio === undefined && min === undefined && max === undefined)
    yield ['metric', 'needs maxWorseRatio, min or max'];
  if (min !== undefined && max !== undefined && min > max) yield ['min', 'must not be above max'];
  if (maxWorseRatio === undefined) return;
  if (metric?.direction === 'neutral')
    yield ['maxWorseRatio', `is of no use: neither way of ${rule.metric} is worse; give min or max`];
  const baseline = baselineFor(rule, policy);
  if (!baseline) yield ['baseline', 'is needed by maxWorseRatio, here or in the policy'];
  else if (baseline.kind !== 'run' && evidenceFor(rule, policy).commits > baseline.commits)
    yield ['minimumEvidence', 'asks for more commits than the baseline looks at'];
}

/** What the rule compares with: its own baseline, or that of the policy. */
export function baselineFor(rule: GateRule, policy: GatePolicy): GateBaseline | undefined {
  return rule.baseline ?? policy.baseline;
}

/** The evidence that the rule asks for: its own, or that of the policy. */
export function evidenceFor(rule: GateRule, policy: GatePolicy): GatePolicy['minimumEvidence'] {
  return rule.minimumEvidence ?? policy.minimumEvidence;
}

/** Whether the rule is for runs of this kind. */
export function isInScope(
  { scope }: GateRule,
  run: { model: string; cluster: string; workload: string },
): boolean {
  const has = (list: readonly string[] | undefined, name: string) => !list || list.includes(name);
  return (
    !scope ||
    (has(scope.models, run.model) && has(scope.clusters, run.cluster) && has(scope.workloads, run.workload))
  );
}
