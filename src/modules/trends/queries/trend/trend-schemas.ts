import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { pointInTime, printableLine } from '../../../../platform/http';
import { regressionMarkSchema, segmentSchema } from '../series/series-schemas';

/** Points of an answer, unless the client asks for more: above them, charts show days. */
const USUAL_POINTS = 2_000;
const MOST_POINTS = 10_000;

export const SPLITS = ['series', 'model', 'cluster', 'branch', 'gpu', 'none'] as const;
export type Split = (typeof SPLITS)[number];

export const trendQuerySchema = z
  .strictObject({
    metric: z
      .string()
      .max(100)
      .describe('Id of a metric of GET /v1/metrics-catalogue.')
      .meta({ example: 'step-time' }),
    by: z
      .enum(['run', 'commit', 'day'])
      .default('run')
      .describe(
        'What a point is: a run; a commit, whose repeats that follow each other are one, their median; or a day in UTC.',
      ),
    splitBy: z.enum(SPLITS).default('series').describe('What makes a line of its own.'),
    seriesId: z.uuid().optional().describe('Only this series.'),
    model: printableLine(200).optional().describe('Only runs of this model.'),
    cluster: printableLine(200).optional().describe('Only runs on this cluster.'),
    workload: printableLine(200).optional().describe('Only runs of this workload.'),
    branch: printableLine(255).optional().describe('Only runs of this branch.'),
    tag: printableLine(100).optional().describe('Only runs with this tag.'),
    gpu: printableLine(200).optional().describe('Only series of this GPU: NVIDIA H200 and h200 are one.'),
    from: pointInTime.optional().describe('Only runs of then or later.'),
    to: pointInTime.optional().describe('Only runs before then.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MOST_POINTS)
      .default(USUAL_POINTS)
      .describe('Most points over all lines. Where there are more runs or commits, days are given instead.'),
    runIds: z
      .enum(['true', 'false'])
      .default('true')
      .transform((text) => text === 'true')
      .describe('Whether runs come with their ids, which are half of the answer.'),
  })
  .refine(({ from, to }) => !from || !to || from < to, { message: 'must be after from', path: ['to'] });

export type TrendQuery = z.output<typeof trendQuerySchema>;
export class TrendQueryDto extends createZodDto(trendQuerySchema) {}

/** Described but not checked: ten thousand values of our own query cost more to check than to read. */
const column = <Item>(item: z.ZodType<Item>, description?: string) => {
  const { $schema: _, ...shape } = z.toJSONSchema(z.array(item));
  return z.any().meta({ ...shape, ...(description && { description }) }) as unknown as z.ZodType<Item[]>;
};
const numbers = column(z.number());

/** Points as columns of one length, in the order of time: a third of the bytes of objects. */
const runColumns = z.object({
  atMs: numbers,
  value: numbers,
  runId: column(z.string()).nullable().describe('Null with runIds=false.'),
});
const commitColumns = z.object({
  atMs: column(z.number(), 'When its first run ran.'),
  value: column(z.number(), 'Median of its runs.'),
  commit: column(z.string().nullable()),
  runs: column(z.int()),
  firstRunId: column(z.string()),
});
const dayColumns = z.object({
  day: column(z.iso.date()),
  runs: column(z.int()),
  min: numbers,
  p50: numbers,
  p95: numbers,
  max: numbers,
});
export type CommitColumns = z.infer<typeof commitColumns>;
export type DayColumns = z.infer<typeof dayColumns>;

export class TrendDto extends createZodDto(
  z.object({
    metric: z.object({
      id: z.string(),
      unit: z.string(),
      direction: z.enum(['lower-is-better', 'higher-is-better', 'neutral']),
    }),
    noiseFloorRatio: z
      .number()
      .describe('Changes below this share of the level are not told; of the settings of the team.'),
    resolution: z.enum(['runs', 'commits', 'days']).describe('What a point is.'),
    resolutionReason: z
      .enum(['asked-for', 'more-points-than-limit'])
      .describe('Whether the resolution is what was asked for.'),
    splitBy: z.enum(SPLITS),
    lines: z.array(
      z.object({
        value: z.string().nullable().describe('Of what it is split by; null where that is not known.'),
        seriesIds: z.array(z.uuid()),
        runs: runColumns
          .nullable()
          .describe('Columns of one length, in the order of time; times in ms since 1970.'),
        commits: commitColumns.nullable(),
        days: dayColumns.nullable(),
      }),
    ),
    series: z.array(
      z.object({
        id: z.uuid(),
        model: z.string(),
        cluster: z.string(),
        workload: z.string().nullable(),
        comparability: z.string(),
      }),
    ),
    segments: z.array(segmentSchema).describe('Where the level of these series changed; at most 200.'),
    regressions: z.array(regressionMarkSchema).describe('Regressions that moved the metric; at most 200.'),
  }),
) {}
