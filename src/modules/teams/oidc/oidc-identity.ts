import { z } from 'zod';
import { isPrintableLine } from '../../../platform/http';

const longestName = 200;

/** Somebody as the OpenID provider knows them. */
export interface OidcIdentity {
  issuer: string;
  subject: string;
  /** Lower case; undefined when the provider gives none that it has verified. */
  verifiedEmail: string | undefined;
  name: string | undefined;
}

// Providers are many: a claim that is not what it should be counts as not given.
const claimsSchema = z.object({
  iss: z.string().min(1).max(2_000),
  sub: z.string().min(1).max(255),
  email: z.email().max(320).toLowerCase().optional().catch(undefined),
  // Only the word true: "false" and others that are true to JavaScript are not.
  email_verified: z.literal(true).optional().catch(undefined),
  name: z.string().trim().min(1).max(longestName).refine(isPrintableLine).optional().catch(undefined),
});

/**
 * Reads the checked claims of the ID token and what else the provider says of the same subject. An address counts only with
 * the word of the same source that it is verified: one may have an old address, the other the word for the new one.
 * Throws ZodError without issuer and subject.
 */
export function toIdentity(idToken: unknown, userInfo: object = {}): OidcIdentity {
  const claims = claimsSchema.parse(idToken);
  const { iss: issuer, sub: subject } = claims;
  const more = claimsSchema.parse({ ...userInfo, iss: issuer, sub: subject });
  const verifiedEmail = verifiedEmailOf(claims) ?? verifiedEmailOf(more);
  return { issuer, subject, verifiedEmail, name: claims.name ?? more.name };
}

function verifiedEmailOf({ email, email_verified: isVerified }: z.infer<typeof claimsSchema>) {
  return isVerified ? email : undefined;
}
