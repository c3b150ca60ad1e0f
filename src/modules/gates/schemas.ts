import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { gatePolicySchema, storedGatePolicySchema } from '../../analysis';
import { cursorParameter } from '../../platform/http';
import { gateEvaluationSchema } from '../../presentation';

const NAME = '[a-z0-9][a-z0-9._-]{0,99}';
const policyName = z
  .string()
  .regex(
    new RegExp(`^${NAME}$`),
    'must be 1 to 100 of a-z, 0-9, dot, dash and underscore, not beginning with a sign',
  )
  .meta({ example: 'pull-request' });
/** Postgres' integer. */
const MAX_REVISION = 2 ** 31 - 1;
const revision = z.coerce.number().int().min(1).max(MAX_REVISION);

const summaryShape = {
  name: z.string(),
  revision: z.int().describe('Counts from 1; saving other content makes the next one.'),
  createdBy: z.string().nullable().describe('Who saved it, as they were called then.'),
  createdAt: z.iso.datetime(),
};
const storedPolicySchema = z.object({
  ...summaryShape,
  policy: storedGatePolicySchema,
});
const page = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Pass it as cursor to get the next page.'),
  });

export class GatePolicyBodyDto extends createZodDto(gatePolicySchema) {}
export class GatePolicyNameDto extends createZodDto(z.strictObject({ name: policyName })) {}
export class GatePolicyQueryDto extends createZodDto(
  z.strictObject({ revision: revision.optional().describe('An earlier revision; default: the newest.') }),
) {}
export class GatePageQueryDto extends createZodDto(
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: cursorParameter.optional(),
  }),
) {}
export class GatePolicyDto extends createZodDto(storedPolicySchema) {}
export class GatePolicyPageDto extends createZodDto(
  page(z.object(summaryShape).meta({ id: 'GatePolicySummary' })),
) {}

/** A policy by name, and by revision where one is told. */
export interface PolicyReference {
  name: string;
  revision: number | undefined;
}

/** `pull-request` or `pull-request@3`, once the schema below let it through. */
export function parseReference(text: string): PolicyReference {
  const [name, number] = text.split('@');
  return { name, revision: number === undefined ? undefined : Number(number) };
}

export class GateRequestDto extends createZodDto(
  z
    .strictObject({
      runId: z
        .uuid()
        .describe('The run that wants to pass.')
        .meta({ example: '01890a5d-ac96-774b-bcce-b302099a8057' }),
      policy: z
        .string()
        .regex(new RegExp(`^${NAME}(@[1-9][0-9]{0,8})?$`), 'must be the name of a policy, or name@revision')
        .optional()
        .describe('Name of a policy, or name@revision.')
        .meta({ example: 'pull-request' }),
      inlinePolicy: gatePolicySchema
        .optional()
        .describe('A policy of this request alone, in the place of a name.'),
    })
    .refine(({ policy, inlinePolicy }) => (policy === undefined) !== (inlinePolicy === undefined), {
      path: ['policy'],
      message: 'give either policy or inlinePolicy',
    }),
) {}
export class GateEvaluationDto extends createZodDto(gateEvaluationSchema) {}
