import { ProblemError } from '../../platform/errors';
import { type Principal, type Role, scopesOfRole } from './principal';

/** From the least to the most. */
const ladder: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];
/** Owners are made and unmade by owners in person. */
const highestOfTokens: Role = 'admin';

/** By what somebody manages the people of a team: the role of a person, the scopes of a token. */
export type Authority = Pick<Principal, 'role' | 'scopes'>;

/** Whether a role has more to say than another one. */
export function isAbove(role: Role, other: Role): boolean {
  return ladder.indexOf(role) > ladder.indexOf(other);
}

/** The roles whose bearers somebody may manage: none above their own. */
export function manageableRoles({ role, scopes }: Authority): Role[] {
  if (!scopes.includes('admin')) return [];
  return ladder.filter((other) => !isAbove(other, role ?? highestOfTokens));
}

/** The roles that somebody may give: those they may manage, and of these none with a scope that they lack themselves. */
export function grantableRoles(authority: Authority): Role[] {
  return manageableRoles(authority).filter((role) =>
    scopesOfRole[role].every((scope) => authority.scopes.includes(scope)),
  );
}

/** Throws `role-too-high` unless somebody may manage the bearers of this role. */
export function refuseToManage(authority: Authority, role: Role): void {
  if (manageableRoles(authority).includes(role)) return;
  throw new ProblemError('role-too-high', `${holderOf(authority)} may not change what the role ${role} has.`);
}

/** Throws `role-too-high` unless somebody may give this role. */
export function refuseToGrant(authority: Authority, role: Role): void {
  if (grantableRoles(authority).includes(role)) return;
  throw new ProblemError('role-too-high', `${holderOf(authority)} may not give the role ${role}.`);
}

function holderOf({ role, scopes }: Authority): string {
  return role === undefined ? `A token with the scopes ${scopes.join(', ')}` : `The role ${role}`;
}
