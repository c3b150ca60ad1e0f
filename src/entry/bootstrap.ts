import {
  createTeamsService,
  isRole,
  isScope,
  type Role,
  roles,
  type Scope,
  scopes,
  type TeamsService,
} from '../modules/teams';
import {
  type BootstrapConfig,
  loadBootstrapConfig,
  loadDatabaseConfig,
  loadMemberPassword,
} from '../platform/config';
import { Database } from '../platform/database';

/** What the command was told on its command line. */
export interface BootstrapFlags {
  team?: string;
  ownerEmail?: string;
  ownerPassword?: string;
  /** Also create a token of this name, unless one that works exists. */
  tokenName?: string;
  /** Scopes of the token, separated by commas; all when left out. */
  scopes?: string;
  /** Also make this person a member; the password of a new account is BOOTSTRAP_MEMBER_PASSWORD. */
  memberEmail?: string;
  memberRole?: string;
  /** Refuse to create the team. */
  existing?: boolean;
  /** Create the token even if one of this name works. */
  newToken?: boolean;
}

/**
 * Creates team, owner and token where they are missing; may run again. Prints one line of JSON: `teamId`, `created`, and
 * `token`, which is null when no new token was made (the old one cannot be shown again).
 */
export async function bootstrap(flags: BootstrapFlags): Promise<void> {
  const request = loadBootstrapConfig({
    BOOTSTRAP_TEAM_SLUG: flags.team,
    BOOTSTRAP_OWNER_EMAIL: flags.ownerEmail,
    BOOTSTRAP_OWNER_PASSWORD: flags.ownerPassword,
  });
  const tokenScopes = readScopes(flags.scopes);
  const member = readMember(flags);
  const database = new Database(loadDatabaseConfig());
  try {
    await database.onModuleInit();
    const teams = createTeamsService(database);
    if (flags.existing) await refuseToCreate(teams, request);
    const { teamId, created } = await teams.bootstrap(request);
    if (member) await teams.addMember(teamId, member);
    const token = await createToken(teams, teamId, flags, tokenScopes);
    console.log(JSON.stringify({ teamId, teamSlug: request.teamSlug, created, token }));
  } finally {
    await database.close();
  }
}

async function refuseToCreate(teams: TeamsService, { ownerEmail, teamSlug }: BootstrapConfig): Promise<void> {
  if ((await teams.findTeamOf(ownerEmail, teamSlug)) !== undefined) return;
  throw new Error(`${ownerEmail} is in no team ${teamSlug}; nothing was created.`);
}

async function createToken(
  teams: TeamsService,
  teamId: string,
  { tokenName: name, newToken = false }: BootstrapFlags,
  tokenScopes: Scope[],
): Promise<string | null> {
  if (name === undefined) return null;
  if (!newToken && (await teams.hasUsableToken(teamId, name))) return null;
  return (await teams.createApiToken(teamId, { name, scopes: tokenScopes })).token;
}

function readMember({
  memberEmail: email,
  memberRole: role = 'member',
}: BootstrapFlags): { email: string; password: string; role: Role } | null {
  if (email === undefined) return null;
  if (!isRole(role)) throw new Error(`Unknown role ${role}; there are ${roles.join(', ')}.`);
  return { email, password: loadMemberPassword(), role };
}

function readScopes(list: string | undefined): Scope[] {
  if (list === undefined) return [...scopes];
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0)
    throw new Error(`Unknown scope ${unknown.join(', ')}; there are ${scopes.join(', ')}.`);
  return names.filter(isScope);
}
