import { Injectable } from '@nestjs/common';
import { operator } from '../../platform/audit';
import { type Database } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { ApiTokensRepository } from './tokens/api-tokens.repository';
import { ApiTokensService, type NewTokenRequest } from './tokens/api-tokens.service';
import { normalizeEmail } from './normalize-email';
import { Passwords } from './passwords';
import { type Role } from './principal';
import { type AccountReference, TeamsRepository } from './teams.repository';

export interface NewTeamRequest {
  slug: string;
  /** The slug when left out. */
  name?: string;
  owner: { email: string; password: string; name?: string };
}

export interface NewMemberRequest {
  email: string;
  password: string;
  role: Role;
}

export interface BootstrapRequest {
  teamSlug: string;
  ownerEmail: string;
  ownerPassword: string;
}

export interface BootstrapResult {
  teamId: string;
  /** False when the team was there already; then nothing was changed. */
  created: boolean;
}

/** Teams as the rest of the product, and operators, need them. What operators do is in the audit log as theirs. */
@Injectable()
export class TeamsService {
  constructor(
    private readonly repository: TeamsRepository,
    private readonly tokens: ApiTokensService,
    private readonly storedTokens: ApiTokensRepository,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Creates a team and makes somebody its owner. Whoever has an account already keeps it, with its password.
   * Throws `team-slug-taken`.
   */
  async createTeamWithOwner({
    slug,
    name = slug,
    owner,
  }: NewTeamRequest): Promise<{ teamId: string; ownerId: string }> {
    return this.repository.createTeam(operator, { slug, name, owner: await this.accountFor(owner) });
  }

  /**
   * Creates the team with its owner unless the owner has a team of this slug. May run again, and in several processes
   * at once. Throws `team-slug-taken` when the team exists and the owner is not in it.
   */
  async bootstrap({ teamSlug, ownerEmail, ownerPassword }: BootstrapRequest): Promise<BootstrapResult> {
    const existing = await this.findTeamOf(ownerEmail, teamSlug);
    if (existing) return { teamId: existing, created: false };
    try {
      const owner = { email: ownerEmail, password: ownerPassword };
      const { teamId } = await this.createTeamWithOwner({ slug: teamSlug, owner });
      return { teamId, created: true };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      // Another process may have been faster.
      const meanwhile = await this.findTeamOf(ownerEmail, teamSlug);
      if (meanwhile) return { teamId: meanwhile, created: false };
      throw error;
    }
  }

  /** Makes somebody a member of the team; may run again. An account that exists keeps its password. */
  async addMember(teamId: string, { email, password, role }: NewMemberRequest): Promise<void> {
    const account = await this.accountFor({ email, password });
    await this.repository.addMember(teamId, operator, { role, account });
  }

  /** Creates an API token of the team. `token` in the answer is the only copy. */
  async createApiToken(teamId: string, request: NewTokenRequest) {
    return this.tokens.create(teamId, operator, request);
  }

  /** Whether the team has a token of this name that works. */
  async hasUsableToken(teamId: string, name: string): Promise<boolean> {
    return (await this.storedTokens.findUsableByName(teamId, name, new Date())) !== null;
  }

  /**
   * Whoever has an account keeps it, with its password: unless that was chosen by somebody who only held an invitation to
   * the address. Operators vouch for the address, and the password is theirs to give then.
   */
  private async accountFor({ email, password, name }: NewTeamRequest['owner']): Promise<AccountReference> {
    const address = normalizeEmail(email);
    const known = await this.repository.findAccountByEmail(address);
    if (known?.addressProven) return { id: known.id };
    const passwordHash = await this.passwords.hash(password);
    if (!known) return { email: address, name: name ?? address, passwordHash };
    await this.repository.vouchFor(known.id, passwordHash);
    return { id: known.id };
  }

  /** The team of this slug that the person is in. */
  async findTeamOf(email: string, slug: string): Promise<string | undefined> {
    const account = await this.repository.findAccountByEmail(normalizeEmail(email));
    if (!account) return undefined;
    const memberships = await this.repository.listMemberships(account.id);
    return memberships.find((membership) => membership.slug === slug)?.teamId;
  }
}

/** The service without the framework, for commands and tests. */
export function createTeamsService(database: Database): TeamsService {
  const storedTokens = new ApiTokensRepository(database);
  const tokens = new ApiTokensService(storedTokens);
  return new TeamsService(new TeamsRepository(database), tokens, storedTokens, new Passwords());
}
