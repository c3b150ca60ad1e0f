import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { pageSchema, printableLine } from '../../../platform/http';

const isoTime = z.iso.datetime();
const description = z.union([z.literal(''), printableLine(500)]);

export class NewServiceAccountDto extends createZodDto(
  z.strictObject({
    name: printableLine(100).describe('Unique in the team.').meta({ example: 'nightly-pipeline' }),
    description: description.default(''),
  }),
) {}

export class ServiceAccountChangeDto extends createZodDto(
  z
    .strictObject({
      description: description.optional().meta({ example: 'Uploads the traces of the nightly runs.' }),
      disabled: z
        .boolean()
        .optional()
        .describe('true: its tokens are refused at once; false: they work again.'),
    })
    .refine((change) => Object.keys(change).length > 0, 'must change something'),
) {}

const serviceAccountSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  createdAt: isoTime,
  disabledAt: isoTime.nullable(),
});

export class ServiceAccountDto extends createZodDto(serviceAccountSchema) {}
export class ServiceAccountPageDto extends createZodDto(
  pageSchema(serviceAccountSchema.meta({ id: 'ServiceAccountSummary' })),
) {}
export class ServiceAccountIdDto extends createZodDto(z.object({ id: z.uuid() })) {}
