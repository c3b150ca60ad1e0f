import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { cursorParameter, pointInTime, printableLine } from '../../../platform/http';
import { METRIC_CATALOG } from '../../../analysis';
import { explanationSchema } from '../explanation-schema';

export const METRIC_IDS: readonly string[] = METRIC_CATALOG.map(({ id }) => id);
export const REGRESSION_STATES = ['open', 'acknowledged', 'resolved'] as const;
/** Acts that the answer for one regression has. */
export const ACTS_PER_ANSWER = 200;

const isoTime = z.iso.datetime();
const metricId = z
  .string()
  .max(100)
  .refine((id) => METRIC_IDS.includes(id), `must be one of ${METRIC_IDS.join(', ')}`);

const movedSchema = z.object({
  metricId: z.string().meta({ example: 'step-time' }),
  unit: z.string().meta({ example: 'ns' }),
  before: z.number(),
  after: z.number(),
  changeRatio: z
    .number()
    .nullable()
    .describe('(after − before) / before, with the sign of the change; null where there was nothing before.'),
});
const personSchema = z.object({ userId: z.uuid(), name: z.string(), email: z.string() });

export const regressionSummarySchema = movedSchema.extend({
  id: z.uuid(),
  state: z.enum(REGRESSION_STATES),
  resolution: z
    .string()
    .nullable()
    .describe('recovered, fixed, accepted, no-regression or no-runs-left; null unless it is resolved.'),
  seriesId: z.uuid(),
  model: z.string(),
  cluster: z.string(),
  workload: z.string().nullable(),
  branch: z.string().nullable(),
  metrics: z.array(movedSchema).describe('All that moved with it, its own metric included.'),
  firstBad: z.object({
    runId: z.uuid().nullable().describe('Null when the run was deleted.'),
    commit: z.string().nullable(),
    at: isoTime,
  }),
  lastGood: z.object({ runId: z.uuid().nullable(), commit: z.string().nullable() }),
  openedAt: isoTime,
  resolvedAt: isoTime.nullable(),
  goodAgainAt: isoTime.nullable().describe('When the first run that was good again ran.'),
  timesReopened: z.int(),
  acknowledgedReason: z.string().nullable(),
  assignedTo: personSchema.nullable(),
  mutedUntil: isoTime.nullable().describe('Null when it is not muted now.'),
  links: z.object({
    self: z.string(),
    firstBadRun: z.string().nullable(),
    lastGoodRun: z.string().nullable(),
  }),
});

export const regressionSchema = regressionSummarySchema.extend({
  commitRange: z
    .object({ after: z.string(), upTo: z.string() })
    .nullable()
    .describe(
      'The commits among which the cause is: after the last good one, up to the first bad one; null when not known.',
    ),
  explanation: explanationSchema
    .nullable()
    .describe('Where the time went; null until it is known, or when the reports do not tell.'),
  explainedAt: isoTime.nullable(),
  acts: z
    .array(
      z.object({
        id: z.uuid(),
        act: z
          .string()
          .describe('opened, worsened, improved, resolved, reopened, confirmed, acknowledged, …'),
        actor: z
          .object({ id: z.uuid(), name: z.string().nullable() })
          .nullable()
          .describe('Null when the detector did it.'),
        reason: z.string().nullable().describe('What a person said; of worsened, the metric.'),
        assigneeId: z.uuid().nullable().describe('Of assigned: the member who has it since.'),
        runId: z.uuid().nullable(),
        at: isoTime,
      }),
    )
    .max(ACTS_PER_ANSWER)
    .describe('What was done with it, the latest first.'),
});

export class RegressionDto extends createZodDto(regressionSchema) {}
export class RegressionPageDto extends createZodDto(
  z.object({
    items: z.array(regressionSummarySchema.meta({ id: 'RegressionSummary' })),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as cursor, with the other parameters as they were; null on the last page.'),
  }),
) {}
export class RegressionIdDto extends createZodDto(z.object({ id: z.uuid() })) {}

export const regressionListSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: cursorParameter.optional(),
  state: z
    .enum([...REGRESSION_STATES, 'unresolved', 'any'])
    .default('unresolved')
    .describe('unresolved: open or acknowledged.'),
  model: printableLine(200).optional(),
  cluster: printableLine(200).optional(),
  workload: printableLine(200).optional(),
  branch: printableLine(255).optional(),
  seriesId: z.uuid().optional(),
  metric: metricId.optional().describe('Only those that moved this metric.'),
  assignedTo: z
    .union([z.uuid(), z.literal('nobody')])
    .optional()
    .describe('Only those of this member, or those that nobody has.'),
  firstBadFrom: pointInTime.optional().describe('Only those whose first bad run ran then or later.'),
  firstBadTo: pointInTime.optional().describe('Only those whose first bad run ran before then.'),
});
export class RegressionListDto extends createZodDto(regressionListSchema) {}
export type RegressionFilter = Omit<z.output<typeof regressionListSchema>, 'limit' | 'cursor'>;

const reason = printableLine(1_000).describe('Why, for whoever reads its history.');
const example = 'Known: the new attention kernel is slower until its tuning lands.';

export class ReasonDto extends createZodDto(z.strictObject({ reason: reason.meta({ example }) })) {}
export class AssignDto extends createZodDto(
  z.strictObject({
    userId: z
      .uuid()
      .nullable()
      .describe('A member of the team; null for nobody.')
      .meta({ example: '01890a5d-ac96-774b-bcce-b302099a8057' }),
  }),
) {}
export class MuteDto extends createZodDto(
  z.strictObject({
    until: pointInTime
      .refine((until) => until > new Date(), 'must be in the future')
      .describe('Webhooks are told nothing of it until then.')
      .meta({ example: '2099-01-01T00:00:00Z' }),
    reason: reason.meta({ example }),
  }),
) {}
export class ResolveDto extends createZodDto(
  z.strictObject({
    resolution: z
      .enum(['fixed', 'accepted', 'no-regression'])
      .describe(
        'fixed: later runs will be good again, and it is reopened when they are not. accepted: the level is the new baseline ' +
          'from the first bad run on. no-regression: its runs are a baseline as those before, and the same change is not told again soon.',
      ),
    reason: reason.meta({ example }),
  }),
) {}
