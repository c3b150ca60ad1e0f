import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { teamSchema, teamSlug } from '../schemas';

const isoTime = z.iso.datetime();
const longestPassword = 200;
/** The same as for the first owner, see BOOTSTRAP_OWNER_PASSWORD. */
const shortestPassword = 12;

const delivery = z
  .enum(['body', 'cookie'])
  .describe(
    'Where the refresh token goes: into the body, or for browsers into a cookie that no script can read.',
  );
const refreshToken = z.string().min(1).max(200);

export class LoginDto extends createZodDto(
  z.strictObject({
    email: z.email().max(320).meta({ example: 'ada@example.org' }),
    password: z.string().min(1).max(longestPassword).meta({ example: 'correct horse battery' }),
    team: teamSlug.optional().describe('Slug of the team; needed by people who are in several.'),
    delivery: delivery.default('body'),
  }),
) {}

export class RefreshDto extends createZodDto(
  z.strictObject({
    refreshToken: refreshToken.optional().describe('Left out by browsers, which send the cookie.'),
    team: teamSlug.optional().describe('Slug of another team of the person, to go on there.'),
    delivery: delivery
      .default('body')
      .describe('As for login. A token that came in the cookie is answered in the cookie in any case.'),
  }),
) {}

export class LogoutDto extends createZodDto(
  z
    .strictObject({
      refreshToken: refreshToken
        .optional()
        .describe('Left out by browsers, which send the cookie, and by those who send their access token.'),
    })
    .prefault({}),
) {}

export const currentPassword = z
  .string()
  .min(1)
  .max(longestPassword)
  .meta({ example: 'correct horse battery' });
export const newPassword = z
  .string()
  .min(shortestPassword)
  .max(longestPassword)
  .meta({ example: 'four words of your own' });

export class PasswordChangeDto extends createZodDto(z.strictObject({ currentPassword, newPassword })) {}

/** What somebody who signed in is given. */
export class SignedInDto extends createZodDto(
  z.object({
    accessToken: z.string().describe('Send it as Authorization: Bearer.'),
    expiresInS: z.int().describe('How long the access token is good, seconds.'),
    refreshToken: z
      .string()
      .optional()
      .describe('Good for one use at POST /v1/auth/refresh. Absent when it is in the cookie.'),
    team: teamSchema,
  }),
) {}

export class SessionPageDto extends createZodDto(
  z.object({
    items: z.array(
      z
        .object({
          id: z.uuid(),
          teamId: z.uuid().describe('The team that it is for at the moment.'),
          method: z.enum(['password', 'oidc']).describe('How the person signed in.'),
          userAgent: z.string().nullable(),
          address: z.string().nullable().describe('From where the person signed in.'),
          createdAt: isoTime,
          lastUsedAt: isoTime.describe('When it was begun or last renewed.'),
          expiresAt: isoTime.describe('When it ends unless it is used before.'),
          current: z.boolean().describe('Whether it is the session of this request.'),
        })
        .meta({ id: 'Session' }),
    ),
    nextCursor: z.uuid().nullable().describe('Pass it as cursor to get the next page; null on the last one.'),
  }),
) {}

export class SessionIdDto extends createZodDto(z.object({ id: z.uuid() })) {}

export class SignInMethodsDto extends createZodDto(
  z.object({
    password: z.boolean().describe('Whether POST /v1/auth/login is there.'),
    oidc: z
      .object({ issuer: z.string(), startPath: z.string().describe('Where a browser begins.') })
      .nullable()
      .describe('The OpenID provider whose accounts may sign in; null when there is none.'),
  }),
) {}
