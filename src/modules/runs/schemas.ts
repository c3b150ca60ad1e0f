import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { RUN_VERDICTS } from '../../analysis';
import { cursorParameter } from '../../platform/http';
import { RUN_STATES, runSetupSchema } from '../ingestion';

/** Most artifacts in the answer for one run; there may be more, which `artifactCount` tells. */
export const ARTIFACTS_PER_ANSWER = 1_000;
/** Most analyses in the answer for one run; older ones are left out. */
export const ANALYSES_PER_ANSWER = 100;
/** Regressions that the answer for one run names. */
export const REGRESSIONS_PER_ANSWER = 20;

const isoTime = z.iso.datetime();
export const nextCursor = z
  .string()
  .nullable()
  .describe(
    'Pass it as cursor, with the other parameters as they were, to get the next page; null on the last one.',
  );

const verdictSchema = z.object({
  bottleneck: z.string().meta({ example: 'input-pipeline' }),
  confidence: z.string(),
  summary: z.string(),
});

export const runSummarySchema = z.object({
  id: z.uuid(),
  model: z.string(),
  cluster: z.string(),
  workload: z.string().nullable(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  startedAt: isoTime.nullable().describe('When the training ran, as the client said.'),
  worldSize: z.int().nullable(),
  durationS: z.int().nullable().describe('How long the job ran, seconds, as the client said.'),
  tags: z.array(z.string()),
  state: z.enum(RUN_STATES),
  stateChangedAt: isoTime,
  generation: z.int().describe('How many analyses were asked for.'),
  failure: z
    .object({ code: z.string().meta({ example: 'unknown-format' }), reason: z.string() })
    .nullable()
    .describe('Why the analysis failed for good; null unless the state is failed.'),
  verdict: verdictSchema.nullable().describe('The newest report in short; null while there is none.'),
  metrics: z
    .array(z.object({ id: z.string(), value: z.number().nullable(), unit: z.string() }))
    .describe('Headline metrics of the newest report; a value that was not measurable is null.')
    .meta({ example: [{ id: 'mfu', value: 0.41, unit: 'ratio' }] }),
  createdAt: isoTime,
  seriesId: z.uuid().nullable().describe('Series of the runs it is compared with; null until it is in one.'),
  links: z.object({ self: z.string(), report: z.string() }),
});

export const runArtifactSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    sizeBytes: z.int(),
    sha256: z.string(),
    state: z.enum(['awaitingUpload', 'uploaded', 'verified', 'rejected']),
    createdAt: isoTime,
  })
  .meta({ id: 'RunArtifact' });

const listedArtifactSchema = runArtifactSchema
  .extend({
    format: z
      .string()
      .nullable()
      .describe('What the newest report read it as; null when it read it not, or there is no report.')
      .meta({ example: 'kineto' }),
  })
  .meta({ id: 'ListedRunArtifact' });

export const runVerdictSchema = z
  .object({
    metricId: z.string().meta({ example: 'step-time' }),
    unit: z.string().meta({ example: 'ns' }),
    value: z.number().nullable().describe('Of the newest report.'),
    verdict: z.enum(RUN_VERDICTS).describe('changed: of a metric of which neither way is better.'),
    reason: z
      .string()
      .nullable()
      .describe('Why it is inconclusive: too-few-runs or too-noisy; null for the other verdicts.'),
    changeRatio: z.number().nullable().describe('(value − median) / median of the baseline.'),
    score: z.number().nullable().describe('Distance from the baseline, in standard errors of one run.'),
    baseline: z
      .object({
        median: z.number(),
        low: z.number().describe('Values from here to `high` are no change.'),
        high: z.number(),
        commits: z.int().describe('Commits that it stands on; repeated runs of one count once.'),
      })
      .nullable()
      .describe('The runs before it that it was compared with; null when they are too few.'),
    missingCommits: z
      .int()
      .nullable()
      .describe('How many more commits before it a verdict would have needed; null unless too-few-runs.'),
  })
  .meta({ id: 'RunVerdict' });

export const runDetailSchema = runSummarySchema.extend({
  comparability: z.string().nullable().describe('What the client said makes it comparable.'),
  setup: runSetupSchema.describe('Hardware, framework, parallelism and the like, as the client said.'),
  metadata: z
    .record(z.string(), z.unknown())
    .describe('What the client said beside the fields above, as it was sent.'),
  trend: z
    .array(runVerdictSchema)
    .nullable()
    .describe('What it was against the runs before it, by metric; null until it was judged.'),
  regressions: z
    .array(
      z.object({
        id: z.uuid(),
        state: z.enum(['open', 'acknowledged', 'resolved']),
        resolution: z.string().nullable(),
        metricId: z.string().describe('The metric that speaks for it.'),
        isFirstBadRun: z.boolean(),
        self: z.string().describe('Path of the regression.'),
      }),
    )
    .max(REGRESSIONS_PER_ANSWER)
    .describe('The regressions of its series and branch during which it ran, the newest first.'),
  runsAhead: z
    .int()
    .nullable()
    .describe(
      'Runs of the team that were queued before this one and are not done; null unless it is queued.',
    ),
  artifactCount: z.int(),
  artifacts: z
    .array(runArtifactSchema)
    .max(ARTIFACTS_PER_ANSWER)
    .describe('The first ones by name; GET /v1/runs/{id}/artifacts gives all, page by page.'),
  analyses: z
    .array(verdictSchema.extend({ generation: z.int(), analysisVersion: z.string(), createdAt: isoTime }))
    .max(ANALYSES_PER_ANSWER)
    .describe('The analyses that gave a report, the newest first; read one with ?generation= of the report.'),
});

export class RunDto extends createZodDto(runDetailSchema) {}

export class RunPageDto extends createZodDto(
  z.object({ items: z.array(runSummarySchema.meta({ id: 'RunSummary' })), nextCursor }),
) {}

export class RunIdParamDto extends createZodDto(z.object({ id: z.uuid() })) {}

export class RunArtifactIdDto extends createZodDto(z.object({ id: z.uuid(), artifactId: z.uuid() })) {}

export class RunArtifactPageDto extends createZodDto(
  z.object({ items: z.array(listedArtifactSchema), nextCursor }),
) {}

export class RunArtifactsQueryDto extends createZodDto(
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(1_000).default(200),
    cursor: cursorParameter.optional(),
  }),
) {}
