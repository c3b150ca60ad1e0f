import { z } from 'zod';

export const sessionIssuer = 'stallscope';
export const sessionAudience = 'stallscope-api';
export const sessionAlgorithm = 'HS256';

/** What an access token says. The role is for clients to show; what it allows is read anew with every request. */
export const sessionClaimsSchema = z.object({
  sub: z.uuid(),
  team: z.uuid(),
  role: z.enum(['owner', 'admin', 'member', 'viewer']),
  exp: z.int(),
  email: z.string(),
  /** The session that the token came from; the token is good as long as it. */
  sid: z.uuid(),
});
