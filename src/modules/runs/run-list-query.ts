import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { BOTTLENECKS } from '../../analysis';
import { cursorParameter, pointInTime, printableLine } from '../../platform/http';
import { RUN_STATES } from '../ingestion';
import { type MetricRange, readMetricRange } from './metric-range';
import { knownMetrics, readSort } from './run-sort';

const longestRangeChars = 120;
/** Each one is one more table to look into. */
const mostTags = 10;
const mostRanges = 5;

/** A parameter that may be given several times. */
const repeatable = <T extends z.ZodType>(item: T, most: number) =>
  z.preprocess(
    (given) => (given === undefined || Array.isArray(given) ? given : [given]),
    z.array(item).max(most).default([]),
  );

const metricRange = z
  .string()
  .max(longestRangeChars)
  .transform((text, context): MetricRange => {
    const range = readMetricRange(text);
    if (typeof range !== 'string') return range;
    context.addIssue({ code: 'custom', message: range });
    return z.NEVER;
  });

const sort = z
  .string()
  .max(longestRangeChars)
  .default('-createdAt')
  .transform((text, context) => {
    const order = readSort(text);
    if (order) return order;
    const message = `must be createdAt or metric:<id>, with a minus before it for descending; ${knownMetrics}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const runListQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: cursorParameter.optional(),
  sort: sort
    .describe(
      'createdAt or metric:<id>, with a minus before it for descending. Runs without the metric come last.',
    )
    .meta({ example: '-metric:mfu' }),
  model: printableLine(200).optional().describe('Only runs of this model.'),
  cluster: printableLine(200).optional().describe('Only runs on this cluster.'),
  workload: printableLine(200).optional().describe('Only runs of this workload.'),
  branch: printableLine(255).optional().describe('Only runs of this branch.'),
  commit: printableLine(100).optional().describe('Only runs of this commit.'),
  tag: repeatable(printableLine(100), mostTags).describe(
    'Only runs with this tag; several must all be there.',
  ),
  state: z.enum(RUN_STATES).optional().describe('Only runs in this state.'),
  verdict: z
    .enum([...BOTTLENECKS, 'none', 'not-measurable'])
    .optional()
    .describe('Only runs whose newest report names this bottleneck.'),
  createdFrom: pointInTime.optional().describe('Only runs created then or later.'),
  createdTo: pointInTime.optional().describe('Only runs created before then.'),
  metric: repeatable(metricRange, mostRanges)
    .describe(
      'Only runs whose newest report has this metric within the bounds, both inclusive: <id>:<min>..<max>, either left ' +
        'out for none. Several must all hold. Ids are those of GET /v1/metrics-catalogue.',
    )
    .meta({ example: ['mfu:0.3..0.5'] }),
});

export class RunListQueryDto extends createZodDto(runListQuerySchema) {}

export type RunListQuery = z.output<typeof runListQuerySchema>;
/** What runs are wanted. */
export type RunFilter = Omit<RunListQuery, 'limit' | 'cursor' | 'sort'>;
