import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { reportSchema } from '../../presentation';

export class ReportParamDto extends createZodDto(z.object({ id: z.uuid() })) {}

export class ReportQueryDto extends createZodDto(
  z.strictObject({
    generation: z.coerce
      .number()
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .optional()
      .describe('Which analysis of the run; the latest when left out.'),
  }),
) {}

export class ReportDto extends createZodDto(
  reportSchema.extend({
    runId: z.uuid(),
    generation: z.int(),
    analyzedAt: z.iso.datetime(),
    stepsOmitted: z
      .int()
      .describe('Steps left out of this answer to keep it small; figures stand on all of them.'),
  }),
) {}
