import { z } from 'zod';

const ratio = z.number().min(0).max(100);
const name = z.string().min(1).max(200);

const ruleSchema = z
  .strictObject({
    metric: name.describe('Id of a metric of the catalogue, such as step-time.'),
    maxWorseRatio: ratio
      .optional()
      .describe('How much worse than the baseline it may be, as a share: 0.03 is 3 %.'),
    min: z.number().optional().describe('Least value, in the unit of the metric.'),
    max: z.number().optional().describe('Largest value, in the unit of the metric.'),
  })
  .refine((rule) => rule.maxWorseRatio !== undefined || rule.min !== undefined || rule.max !== undefined, {
    message: 'needs maxWorseRatio, min or max',
  });

/** What a run must satisfy to pass, as data. `version` changes with incompatible changes. */
export const gatePolicySchema = z.strictObject({
  version: z.literal(1),
  rules: z.array(ruleSchema).min(1).max(50),
  baseline: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('branch'), branch: name }),
      z.strictObject({ kind: z.literal('tag'), tag: name }),
      z.strictObject({ kind: z.literal('run'), runId: z.uuid() }),
    ])
    .optional()
    .describe('What the run is compared with; needed by rules with maxWorseRatio.'),
  minimumRuns: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe('Runs that the baseline must have; with fewer the gate is inconclusive. 1 for a pinned run.'),
  onInconclusive: z
    .enum(['inconclusive', 'pass', 'fail'])
    .default('inconclusive')
    .describe('What the gate answers when a rule cannot be judged and none failed.'),
});
export type GatePolicy = z.output<typeof gatePolicySchema>;
export type GateRule = GatePolicy['rules'][number];
