import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { GROUP_VERDICTS } from '../../../../analysis';
import { pointInTime, printableLine } from '../../../../platform/http';
import { explanationSchema } from '../../explanation-schema';

/** Most runs of one side. */
export const RUNS_PER_SIDE = 200;

const filterSchema = z
  .strictObject({
    seriesId: z.uuid().optional(),
    model: printableLine(200).optional(),
    cluster: printableLine(200).optional(),
    workload: printableLine(200).optional(),
    branch: printableLine(255).optional(),
    commit: printableLine(100).optional(),
    tag: printableLine(100).optional(),
    from: pointInTime.optional().describe('Only runs of then or later.'),
    to: pointInTime.optional().describe('Only runs before then.'),
    limit: z
      .int()
      .min(1)
      .max(RUNS_PER_SIDE)
      .default(RUNS_PER_SIDE)
      .describe('Most runs: the latest of those that match.'),
  })
  .refine(({ limit: _, ...rest }) => Object.values(rest).some((value) => value !== undefined), {
    message: 'needs at least one condition',
  });

/** One object rather than a choice of two: a refusal names the field that is wrong. */
const sideSchema = z
  .strictObject({
    runIds: z.array(z.uuid()).min(1).max(RUNS_PER_SIDE).optional().describe('These runs.'),
    filter: filterSchema.optional().describe('The latest runs that match.'),
  })
  .refine(({ runIds, filter }) => (runIds === undefined) !== (filter === undefined), {
    message: 'needs either runIds or filter',
  });

export const compareRequestSchema = z.strictObject({
  before: sideSchema
    .describe('The runs that are compared with.')
    .meta({ example: { filter: { model: 'llama-7b', branch: 'main' } } }),
  after: sideSchema
    .describe('The runs that are compared.')
    .meta({ example: { filter: { model: 'llama-7b', branch: 'wider-batches' } } }),
});
export type ComparedSide = z.output<typeof sideSchema>;
export type ComparedFilter = z.output<typeof filterSchema>;
export class CompareRequestDto extends createZodDto(compareRequestSchema) {}

const sideAnswerSchema = z.object({
  runs: z.int().describe('Runs with a report, which are compared.'),
  runIds: z.array(z.uuid()),
  isTruncated: z
    .boolean()
    .describe(`Whether more runs matched than were taken; ${RUNS_PER_SIDE} at most are.`),
  withoutReport: z.array(z.uuid()).describe('Runs that were named and have no report, or none yet.'),
});

const configurationChangeSchema = z.object({
  name: z.string().meta({ example: 'framework.version' }),
  kind: z.enum(['workload', 'hardware', 'software', 'loader', 'environment', 'other']),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export class ComparisonDto extends createZodDto(
  z.object({
    before: sideAnswerSchema,
    after: sideAnswerSchema,
    comparable: z
      .boolean()
      .describe('Whether all runs are of one series: alike in all that makes runs comparable.'),
    differences: z
      .array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
      .describe(
        'What they are not alike in; of a side whose runs differ, the values with a comma between them.',
      ),
    metrics: z.array(
      z.object({
        id: z.string(),
        unit: z.string(),
        direction: z.enum(['lower-is-better', 'higher-is-better', 'neutral']),
        beforeRuns: z.int().describe('Runs with a value.'),
        afterRuns: z.int(),
        before: z.number().nullable().describe('Median; null without a value.'),
        after: z.number().nullable(),
        changeRatio: z.number().nullable().describe('(after − before) / |before|.'),
        score: z
          .number()
          .nullable()
          .describe(
            'How rare the change is by chance, in standard deviations; null where the noise is not known.',
          ),
        noiseFrom: z
          .enum(['groups', 'history'])
          .nullable()
          .describe('Where the noise was learnt: five runs of a side, or the series before them.'),
        verdict: z.enum(GROUP_VERDICTS).nullable().describe('Null without a value on either side.'),
      }),
    ),
    representatives: z
      .object({ before: z.array(z.uuid()), after: z.array(z.uuid()) })
      .describe('The runs in the middle of their side, which the explanation stands on.'),
    configuration: z.array(configurationChangeSchema).describe('What was told of them and differs.'),
    explanation: explanationSchema
      .nullable()
      .describe('Where the difference of the step time went; null when a side has no steps.'),
  }),
) {}
