/** What a credential may do. Stable: tokens and clients name them. */
export const scopes = ['runs:read', 'runs:write', 'gates:evaluate', 'admin'] as const;
export type Scope = (typeof scopes)[number];

export const roles = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

export function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}

/** What a person may do, by role in the team. */
export const scopesOfRole: Record<Role, readonly Scope[]> = {
  owner: scopes,
  admin: scopes,
  member: ['runs:read', 'runs:write', 'gates:evaluate'],
  viewer: ['runs:read'],
};

/** The only runs that a credential may deal with: of these models, on these clusters; an empty list is no limit. */
export interface RunLimits {
  models: readonly string[];
  clusters: readonly string[];
}

/** Whether a run is within the limits of a credential; without limits every run is. */
export function isWithinLimits(
  limits: RunLimits | undefined,
  { model, cluster }: { model: string; cluster: string },
): boolean {
  if (!limits) return true;
  const allows = (list: readonly string[], name: string) => list.length === 0 || list.includes(name);
  return allows(limits.models, model) && allows(limits.clusters, cluster);
}

/** Who asks: a person in one of their teams, or an API token of a team. */
export interface Principal {
  kind: 'user' | 'token';
  /** Id of the user, or of the token. */
  id: string;
  teamId: string;
  /** E-mail address of the person, or name of the token. */
  name: string;
  /** Only people have one. */
  role?: Role;
  /** The session of a person. */
  sessionId?: string;
  /** Of the token, when it belongs to one. */
  serviceAccountId?: string;
  /** Only tokens that are limited have them. */
  runLimits?: RunLimits;
  scopes: readonly Scope[];
  /** When the credential ends for good; only tokens do, people sign in again. */
  expiresAt?: Date;
}

/** The id of the token that asks; undefined when a person does. */
export function tokenOf({ kind, id }: Principal): string | undefined {
  return kind === 'token' ? id : undefined;
}

/** The stored names that are scopes of this release; a token may outlive a scope. */
export function knownScopes(names: readonly string[]): Scope[] {
  return scopes.filter((scope) => names.includes(scope));
}

/** Whether the text names a scope. */
export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
