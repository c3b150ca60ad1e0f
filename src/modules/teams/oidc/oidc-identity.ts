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

/** Reads checked claims. Throws ZodError without issuer and subject. */
export function toIdentity(claims: unknown): OidcIdentity {
  const { iss, sub, email, email_verified: isVerified, name } = claimsSchema.parse(claims);
  return { issuer: iss, subject: sub, verifiedEmail: isVerified ? email : undefined, name };
}
