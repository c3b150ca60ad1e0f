import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { pageSchema } from '../../../platform/http';
import { roles } from '../principal';

export const roleSchema = z.enum(roles);

const memberSchema = z.object({
  userId: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  joinedAt: z.iso.datetime(),
});

export class MemberDto extends createZodDto(memberSchema) {}
export class MemberPageDto extends createZodDto(pageSchema(memberSchema.meta({ id: 'MemberSummary' }))) {}
export class MemberIdDto extends createZodDto(z.object({ userId: z.uuid() })) {}
export class MemberChangeDto extends createZodDto(z.strictObject({ role: roleSchema })) {}
