import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { printableLine } from '../../platform/http';
import { ladderTableSchema, presentedRungSchema } from '../../presentation';

/** Rungs of one ladder; each brings a report into the answer. */
export const MOST_RUNGS = 50;

const isoTime = z.iso.datetime();
const name = printableLine(100).describe('Unique in the team.').meta({ example: 'From fp32 to CUDA graphs' });
const description = printableLine(1_000).or(z.literal('')).describe('What it is about.');

export class NewLadderDto extends createZodDto(
  z.strictObject({ name, description: description.default('') }),
) {}

export class LadderChangeDto extends createZodDto(
  z
    .strictObject({ name: name.optional(), description: description.optional() })
    .refine((change) => Object.keys(change).length > 0, 'must change something'),
) {}

export class NewRungsDto extends createZodDto(
  z.strictObject({
    rungs: z
      .array(
        z.strictObject({
          runId: z.uuid(),
          label: printableLine(200)
            .describe('What this run changed against the one before.')
            .meta({ example: 'bf16' }),
        }),
      )
      .max(MOST_RUNGS)
      .refine(
        (rungs) => new Set(rungs.map(({ runId }) => runId)).size === rungs.length,
        'must not name a run twice',
      )
      .describe('In order, the baseline first. They take the place of all rungs that the ladder has.')
      .meta({ example: [{ runId: '01890a5d-ac96-774b-bcce-b302099a8057', label: 'fp32' }] }),
  }),
) {}

const ladderSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  rungCount: z.int(),
  createdAt: isoTime,
});

export class LadderDto extends createZodDto(ladderSchema) {}

export class LadderPageDto extends createZodDto(
  z.object({
    items: z.array(ladderSchema.meta({ id: 'LadderSummary' })),
    nextCursor: z.uuid().nullable().describe('Pass it as cursor to get the next page; null on the last one.'),
  }),
) {}

const runSchema = z
  .object({
    id: z.uuid(),
    model: z.string(),
    cluster: z.string(),
    commit: z.string().nullable(),
    state: z.string(),
    startedAt: isoTime.nullable(),
  })
  .nullable()
  .describe('Null when it was deleted.');

export class LadderTableDto extends createZodDto(
  ladderSchema.extend({
    ...ladderTableSchema.shape,
    rungs: z.array(presentedRungSchema.extend({ run: runSchema })).describe('The baseline first.'),
  }),
) {}

export class LadderListQueryDto extends createZodDto(
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.uuid().optional(),
  }),
) {}

export class LadderIdDto extends createZodDto(z.object({ id: z.uuid() })) {}
