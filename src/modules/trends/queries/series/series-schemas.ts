import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { cursorParameter, printableLine } from '../../../../platform/http';
import { conditionSchema } from '../conditions';

const isoTime = z.iso.datetime();

export class SeriesListQueryDto extends createZodDto(
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: cursorParameter.optional(),
    model: printableLine(200).optional().describe('Only series of this model.'),
    cluster: printableLine(200).optional().describe('Only series on this cluster.'),
    workload: printableLine(200).optional().describe('Only series of this workload.'),
    q: printableLine(200)
      .optional()
      .describe('Only series with this text in model, cluster, workload or conditions, in either case.'),
  }),
) {}

export const seriesSchema = z
  .object({
    id: z.uuid(),
    model: z.string(),
    cluster: z.string(),
    workload: z.string().nullable(),
    comparability: z.string().describe('The key that its runs share.'),
    conditions: z.array(conditionSchema).describe('What the key is made of: what makes its runs comparable.'),
    runs: z.int(),
    openRegressions: z.int().describe('Regressions that are open or acknowledged, over all branches.'),
    lastRunAt: isoTime,
    createdAt: isoTime,
  })
  .meta({ id: 'Series' });

const nextCursor = z
  .string()
  .nullable()
  .describe(
    'Pass it as cursor, with the other parameters as they were, to get the next page; null on the last one.',
  );

export class SeriesPageDto extends createZodDto(z.object({ items: z.array(seriesSchema), nextCursor })) {}

export class SeriesIdDto extends createZodDto(z.object({ id: z.uuid() })) {}

/** Most marks of a kind in one answer, the newest. */
export const MARKS_PER_ANSWER = 200;

export const segmentSchema = z
  .object({
    seriesId: z.uuid(),
    branch: z.string().nullable(),
    at: isoTime.describe('From then on the level is another.'),
    reason: z.string().meta({ example: 'worse' }),
    isBaseline: z.boolean().describe('Whether later runs are judged by the new level.'),
  })
  .meta({ id: 'SeriesSegment' });

export const regressionMarkSchema = z
  .object({
    id: z.uuid(),
    seriesId: z.uuid(),
    branch: z.string().nullable(),
    state: z.enum(['open', 'acknowledged', 'resolved']),
    metricId: z.string().describe('The metric that speaks for it.'),
    before: z.number(),
    after: z.number(),
    changeRatio: z.number().nullable(),
    firstBadAt: isoTime,
    goodAgainAt: isoTime.nullable(),
  })
  .meta({ id: 'RegressionMark' });

export class SeriesDetailDto extends createZodDto(
  seriesSchema.extend({
    metrics: z.array(
      z.object({
        id: z.string(),
        unit: z.string(),
        direction: z.enum(['lower-is-better', 'higher-is-better', 'neutral']),
        count: z.int().describe('Runs with a value.'),
        firstAt: isoTime,
        lastAt: isoTime,
        latest: z.number(),
      }),
    ),
    branches: z.array(z.string().nullable()).describe('At most 200; null stands for runs that name none.'),
    segments: z.array(segmentSchema).describe('Where the level changed, the newest first; at most 200.'),
    regressions: z.array(regressionMarkSchema).describe('Those that are not resolved; at most 200.'),
  }),
) {}
