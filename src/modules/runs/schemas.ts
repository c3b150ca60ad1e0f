import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { printableLine } from '../../platform/http';
import { RUN_STATES } from '../ingestion';

/** Most artifacts in one answer; a run may have more, which `artifactCount` tells. */
export const ARTIFACTS_PER_ANSWER = 1_000;

const isoTime = z.iso.datetime();

export const runSummarySchema = z.object({
  id: z.uuid(),
  model: z.string(),
  cluster: z.string(),
  workload: z.string().nullable(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  worldSize: z.int().nullable(),
  tags: z.array(z.string()),
  state: z.enum(RUN_STATES),
  stateChangedAt: isoTime,
  generation: z.int().describe('How many analyses were asked for.'),
  failure: z
    .object({ code: z.string().meta({ example: 'unknown-format' }), reason: z.string() })
    .nullable()
    .describe('Why the analysis failed for good; null unless the state is failed.'),
  verdict: z
    .object({
      bottleneck: z.string().meta({ example: 'input-pipeline' }),
      confidence: z.string(),
      summary: z.string(),
    })
    .nullable()
    .describe('The latest report in short; null while there is none.'),
  createdAt: isoTime,
  links: z.object({ self: z.string(), report: z.string() }),
});

export const runDetailSchema = runSummarySchema.extend({
  metadata: z
    .record(z.string(), z.unknown())
    .describe('What the client said beside the fields above, as it was sent.'),
  artifactCount: z.int(),
  artifacts: z
    .array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        sizeBytes: z.int(),
        sha256: z.string(),
        state: z.enum(['awaitingUpload', 'uploaded', 'verified', 'rejected']),
        createdAt: isoTime,
      }),
    )
    .max(ARTIFACTS_PER_ANSWER)
    .describe('By name.'),
});

export class RunDto extends createZodDto(runDetailSchema) {}

export class RunPageDto extends createZodDto(
  z.object({
    items: z.array(runSummarySchema.meta({ id: 'RunSummary' })),
    nextCursor: z.uuid().nullable().describe('Pass it as cursor to get the next page; null on the last one.'),
  }),
) {}

export class RunListQueryDto extends createZodDto(
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.uuid().optional(),
    model: printableLine(200).optional().describe('Only runs of this model.'),
    cluster: printableLine(200).optional().describe('Only runs on this cluster.'),
    state: z.enum(RUN_STATES).optional().describe('Only runs in this state.'),
  }),
) {}

export class RunIdParamDto extends createZodDto(z.object({ id: z.uuid() })) {}
