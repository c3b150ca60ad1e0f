import { z } from 'zod';
import { optional, withDefault } from './variable';
import { integer, url } from './variable-types';

const dayS = 86_400;
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

/** How long people stay signed in. */
export const sessionVariables = {
  REFRESH_TTL_S: withDefault(
    'How long a session may lie unused before it ends, seconds. At least JWT_TTL_S.',
    String(14 * dayS),
    integer(60, 365 * dayS),
  ),
  SESSION_MAX_S: withDefault(
    'How old a session may become however much it is used, seconds. At least REFRESH_TTL_S.',
    String(30 * dayS),
    integer(60, 365 * dayS),
  ),
};

/** Sign-in with accounts of an OpenID provider. */
export const oidcVariables = {
  OIDC_ISSUER: optional(
    'Issuer of the OpenID provider whose accounts may sign in; its discovery document must be under it. https, but for loopback. OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together and need PUBLIC_URL; allow PUBLIC_URL/v1/auth/oidc/callback as redirect URI there.',
    url('http', 'https').refine(isSafeIssuer, 'must be a URL that starts with https://, but for loopback'),
  ),
  OIDC_CLIENT_ID: optional('Our client id at the provider.', z.string().min(1).max(500)),
  OIDC_CLIENT_SECRET: optional('Our client secret at the provider.', z.string().min(1).max(2000)),
  OIDC_SCOPES: withDefault(
    'Scopes to ask the provider for, separated by spaces.',
    'openid email profile',
    z
      .string()
      .max(500)
      .refine((text) => text.split(' ').includes('openid'), 'must contain openid'),
  ),
  OIDC_AUTO_JOIN_TEAM: optional(
    'Slug of the team that people of the provider join who are in no team, or who name it when they sign in; nobody joins unless given. Somebody who was removed from it joins again with the next sign-in: take their access away at the provider.',
    z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 of a-z, 0-9 and -'),
  ),
  OIDC_AUTO_JOIN_ROLE: withDefault(
    'The role in which they join: viewer, member or admin.',
    'viewer',
    z.enum(['viewer', 'member', 'admin'], 'must be viewer, member or admin'),
  ),
};

/** Only on this machine may an issuer do without encryption. */
function isSafeIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || loopbackHosts.includes(hostname);
}
