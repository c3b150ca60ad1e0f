import { z } from 'zod';
import { GATE_OUTCOMES, GATE_REASONS } from '../../analysis';

/** Runs of a baseline that an answer lists, the latest; `runs` counts all. */
export const BASELINE_RUNS_SHOWN = 100;

const text = z.string();
const time = z.iso.datetime();

const baselineSchema = z.object({
  description: text.describe('What the policy compares with, in words.'),
  median: z.number().describe('Of the commits; repeated runs of a commit count once, by their median.'),
  low: z.number(),
  high: z.number().describe('Least and largest value of the commits.'),
  commits: z.int(),
  runs: z.int(),
  runsUsed: z
    .array(z.object({ runId: z.uuid(), commit: text.nullable(), at: time, value: z.number() }))
    .max(BASELINE_RUNS_SHOWN)
    .describe('The latest of them, oldest first.'),
});

const sideSchema = z.object({ runIds: z.array(z.uuid()) });

const ruleSchema = z.object({
  metric: text.meta({ example: 'step-time' }),
  name: text,
  unit: text.describe('Of value, bounds and baseline; durations are ns, ratios 0 to 1.'),
  outcome: z.enum([...GATE_OUTCOMES, 'not-applicable']),
  countsAs: z.enum(GATE_OUTCOMES).nullable().describe('What the policy makes of it: see whenInconclusive.'),
  reason: z.enum(GATE_REASONS).describe('Stable; decide by this.'),
  explanation: text.describe('The reason with its figures, in words.'),
  help: text.nullable().describe('What would help where it did not pass.'),
  value: z.number().nullable(),
  repeats: z.int().describe('Runs of the commit that the value is the median of, the run among them.'),
  baseline: baselineSchema.nullable(),
  changeRatio: z.number().nullable().describe('(value − median) / |median|.'),
  worseRatio: z.number().nullable().describe('The same, positive where it is worse.'),
  noiseRatio: z
    .number()
    .nullable()
    .describe(
      'Changes smaller than this share cannot be told from chance; null where the noise is not known.',
    ),
  bound: z.object({
    maxWorseRatio: z.number().nullable(),
    worstAllowed: z.number().nullable().describe('The value at which maxWorseRatio is reached.'),
    min: z.number().nullable(),
    max: z.number().nullable(),
  }),
});

/** The answer of a gate: what the API gives and the command line prints. */
export const gateEvaluationSchema = z.object({
  outcome: z.enum(GATE_OUTCOMES),
  reasons: z.array(text).describe('Why, in sentences, the gravest first.'),
  policy: z.object({
    name: text.nullable().describe('Null for a policy that came with the request.'),
    revision: z.int().nullable(),
    whenInconclusive: z.enum(GATE_OUTCOMES),
  }),
  run: z.object({
    id: z.uuid(),
    model: text,
    cluster: text,
    workload: text.nullable(),
    branch: text.nullable(),
    commit: text.nullable(),
    at: time.describe('When the training ran; what came later was not looked at.'),
  }),
  rules: z.array(ruleSchema).describe('In the order of the policy.'),
  links: z.object({
    run: text,
    report: text,
    series: text.nullable().describe('The history that the run is in.'),
  }),
  compare: z
    .object({ before: sideSchema, after: sideSchema })
    .nullable()
    .describe(
      'Body of POST /v1/compare, which says where the difference to the baseline went: of the first rule that failed, ' +
        'or of the first that has a baseline.',
    ),
});
export type GateEvaluation = z.infer<typeof gateEvaluationSchema>;
export type GateRuleAnswer = GateEvaluation['rules'][number];
