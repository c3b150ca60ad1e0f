import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { pageSchema, printableLine } from '../../../platform/http';
import { scopes } from '../principal';

const isoTime = z.iso.datetime();
const mostNames = 50;
const usualGraceS = 86_400;
const mostGraceS = 30 * 86_400;

const names = (what: string) =>
  z.array(printableLine(200)).max(mostNames).default([]).describe(`${what}; an empty list is no limit.`);

export class NewTokenDto extends createZodDto(
  z.strictObject({
    name: printableLine(100)
      .describe('What the token is for, such as the CI job that uses it.')
      .meta({ example: 'nightly' }),
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(scopes.length)
      .meta({ example: ['runs:read', 'runs:write'] }),
    expiresInDays: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe(
        'For ever when left out. A token that a token makes expires when that does at the latest, and is revoked with it.',
      ),
    serviceAccountId: z
      .uuid()
      .optional()
      .describe('Whose token it is: the service account that asks, or nobody in particular, when left out.'),
    limits: z
      .strictObject({ models: names('Only runs of these models'), clusters: names('Only on these clusters') })
      .optional()
      .describe('Outside of them the token reads and changes nothing; it cannot be used for administration.'),
  }),
) {}

export class TokenRotationDto extends createZodDto(
  z
    .strictObject({
      graceS: z
        .int()
        .min(0)
        .max(mostGraceS)
        .default(usualGraceS)
        .describe('How long the old token still works, seconds; never longer than it would have anyway.'),
    })
    .prefault({}),
) {}

const tokenSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('The first characters of the token.'),
  scopes: z.array(z.string()),
  limits: z.object({ models: z.array(z.string()), clusters: z.array(z.string()) }),
  serviceAccountId: z.uuid().nullable(),
  rotatedFrom: z.uuid().nullable().describe('The token that this one took over from.'),
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

export class TokenPageDto extends createZodDto(pageSchema(tokenSchema.meta({ id: 'Token' }))) {}
export class TokenIdDto extends createZodDto(z.object({ id: z.uuid() })) {}
