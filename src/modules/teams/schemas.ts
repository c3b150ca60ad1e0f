import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { pageQueryShape } from '../../platform/http';
import { scopes } from './principal';

export const teamSlug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 of a-z, 0-9 and -');
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
    teams: z
      .array(teamSchema)
      .describe('Teams that the person is in, the oldest membership first; for a token its own.'),
  }),
) {}

export class PageQueryDto extends createZodDto(z.strictObject(pageQueryShape)) {}
