import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { printableLine } from '../../platform/http';
import { scopes } from './principal';

export const teamSlug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 of a-z, 0-9 and -');
const isoTime = z.iso.datetime();
const scope = z.enum(scopes);

export const teamSchema = z.object({ id: z.uuid(), slug: z.string(), name: z.string() });

export class MeDto extends createZodDto(
  z.object({
    kind: z.enum(['user', 'token']),
    id: z.uuid(),
    email: z.string().nullable().describe('Null for tokens.'),
    name: z.string().nullable().describe('Null for tokens.'),
    team: teamSchema,
    role: z.enum(['owner', 'admin', 'member', 'viewer']).nullable().describe('Null for tokens.'),
    scopes: z.array(scope),
  }),
) {}

export class NewTokenDto extends createZodDto(
  z.strictObject({
    name: printableLine(100)
      .describe('What the token is for, such as the CI job that uses it.')
      .meta({ example: 'nightly' }),
    scopes: z
      .array(scope)
      .min(1)
      .max(scopes.length)
      .meta({ example: ['runs:read', 'runs:write'] }),
    expiresInDays: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe('For ever when left out. A token that is made with a token ends with it at the latest.'),
  }),
) {}

const tokenSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('The first characters of the token.'),
  scopes: z.array(z.string()),
  createdAt: isoTime,
  expiresAt: isoTime.nullable(),
  lastUsedAt: isoTime.nullable().describe('To the minute.'),
  revokedAt: isoTime.nullable(),
});

export class CreatedTokenDto extends createZodDto(
  tokenSchema.extend({
    token: z.string().describe('Shown this once; it is not stored and cannot be shown again.'),
  }),
) {}

export class TokenPageDto extends createZodDto(
  z.object({
    items: z.array(tokenSchema.meta({ id: 'Token' })),
    nextCursor: z.uuid().nullable().describe('Pass it as cursor to get the next page; null on the last one.'),
  }),
) {}

export class PageQueryDto extends createZodDto(
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.uuid().optional(),
  }),
) {}

export class TokenIdDto extends createZodDto(z.object({ id: z.uuid() })) {}
