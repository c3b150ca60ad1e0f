import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { actorKinds, auditActions } from '../../platform/audit';
import { pageQueryShape, pageSchema, pointInTime, printableLine } from '../../platform/http';

export class AuditQueryDto extends createZodDto(
  z.strictObject({
    ...pageQueryShape,
    action: z.enum(auditActions).optional(),
    actorId: printableLine(100).optional().describe('Id of a user, a token or a service account.'),
    from: pointInTime.optional().describe('Entries of this time and later.'),
    to: pointInTime.optional().describe('Entries before this time.'),
  }),
) {}

const entrySchema = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  action: z.string(),
  actor: z.object({
    kind: z
      .enum(actorKinds)
      .describe('operator: by a command of the installation; system: the product itself.'),
    id: z.string().nullable(),
    name: z.string().nullable().describe('As it was then: an e-mail address, the name of a token.'),
  }),
  target: z.object({ kind: z.string(), id: z.string() }).nullable(),
  details: z.record(z.string(), z.unknown()).describe('By action; never a secret.'),
  requestId: z.string().nullable().describe('x-request-id of the request.'),
  address: z.string().nullable().describe('Network address that it came from.'),
});

export class AuditPageDto extends createZodDto(pageSchema(entrySchema.meta({ id: 'AuditEntry' }))) {}
