import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { reportSchema } from '../../presentation';
import { RUN_STATES } from '../ingestion';
import { STEPS_PER_ANSWER } from './bound-steps';
import { reportFieldsParameter } from './report-fields';

export class ReportParamDto extends createZodDto(z.object({ id: z.uuid() })) {}

export const generationParameter = z.coerce
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1)
  .describe('Which analysis of the run; the latest that gave a report when left out.');

const largestRank = 2 ** 31 - 1;
export const rankParameter = z.coerce.number().int().min(0).max(largestRank);

export class ReportQueryDto extends createZodDto(
  z.strictObject({
    generation: generationParameter.optional(),
    fields: reportFieldsParameter.optional(),
    rank: rankParameter.optional().describe('Only this rank in `ranks`.'),
    maxSteps: z.coerce
      .number()
      .int()
      .min(1)
      .max(STEPS_PER_ANSWER)
      .default(STEPS_PER_ANSWER)
      .describe('Steps of all ranks together, the first of each; at least one of each rank.'),
  }),
) {}

export class ReportDto extends createZodDto(
  reportSchema.extend({
    runId: z.uuid(),
    generation: z.int(),
    analyzedAt: z.iso.datetime(),
    runState: z
      .enum(RUN_STATES)
      .describe(
        'State of the run now: queued or analyzing while a newer report is to come, failed if the newest analysis was.',
      )
      .meta({ example: 'done' }),
    stepsOmitted: z
      .int()
      .describe('Steps left out of this answer to keep it small; figures stand on all of them.'),
  }),
) {}
