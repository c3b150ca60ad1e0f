import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { pageSchema, printableLine } from '../../../platform/http';
import { roleSchema } from '../members/schemas';

const isoTime = z.iso.datetime();
const usualDays = 7;
const mostDays = 30;
const token = z
  .string()
  .max(200)
  .describe('The invitation token, ssi_….')
  .meta({ example: `ssi_${'A'.repeat(43)}` });
// As sign-in has it.
const shortestPassword = 12;
const longestPassword = 200;

export class NewInvitationDto extends createZodDto(
  z.strictObject({
    email: z.email().max(320).meta({ example: 'somebody@example.org' }),
    role: roleSchema,
    expiresInDays: z.int().min(1).max(mostDays).default(usualDays),
  }),
) {}

const invitationSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  role: roleSchema,
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
  invitedBy: z.uuid().nullable().describe('User id; null when a token did it.'),
  createdAt: isoTime,
  expiresAt: isoTime,
  acceptedAt: isoTime.nullable(),
  revokedAt: isoTime.nullable(),
});

export class CreatedInvitationDto extends createZodDto(
  invitationSchema.extend({
    token: z.string().describe('Shown this once; hand it to the person yourself, no e-mail is sent.'),
  }),
) {}

export class InvitationPageDto extends createZodDto(
  pageSchema(invitationSchema.meta({ id: 'Invitation' })),
) {}
export class InvitationIdDto extends createZodDto(z.object({ id: z.uuid() })) {}

export class InvitationTokenDto extends createZodDto(z.strictObject({ token })) {}

export class InvitationPreviewDto extends createZodDto(
  z.object({
    team: z.object({ slug: z.string(), name: z.string() }),
    role: roleSchema,
    email: z.string(),
    expiresAt: isoTime,
  }),
) {}

export class AcceptanceDto extends createZodDto(
  z.strictObject({
    token,
    password: z
      .string()
      .min(shortestPassword)
      .max(longestPassword)
      .optional()
      .describe('Of the account that exists, or for the one to create. Not needed with an access token.'),
    name: printableLine(200).optional().describe('Of a new account; the e-mail address when left out.'),
  }),
) {}

export class AcceptedInvitationDto extends createZodDto(
  z.object({
    team: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }),
    email: z.string(),
    role: roleSchema.describe('In force now: of the invitation, or a higher one that the person had before.'),
  }),
) {}
