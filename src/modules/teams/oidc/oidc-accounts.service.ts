import { Injectable, Logger } from '@nestjs/common';
import { type Actor } from '../../../platform/audit';
import { type FoundMembership, type OpenInvitation } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { type Person } from '../sessions/sessions.service';
import { maskEmail } from '../sessions/sign-in-journal';
import { TeamsRepository } from '../teams.repository';
import { type Joining, OidcAccountsRepository, type VerifiedIdentity } from './oidc-accounts.repository';
import { type OidcIdentity } from './oidc-identity';
import { OidcProvider } from './oidc-provider';

/** Somebody who may sign in, and to which team. */
export interface Admitted {
  person: Person;
  membership: FoundMembership;
}

/** Finds, links or creates the account of somebody whom the OpenID provider vouches for. */
@Injectable()
export class OidcAccountsService {
  private readonly log = new Logger(OidcAccountsService.name);

  constructor(
    private readonly provider: OidcProvider,
    private readonly accounts: OidcAccountsRepository,
    private readonly teams: TeamsRepository,
  ) {}

  /**
   * By identity; the first time by an address that the provider has verified. Who is in no team, or not in `team`, joins by
   * an open invitation, or because everybody joins that team. Without `team`, into the team that the person has been in the
   * longest. Throws `oidc-email-unverified`, `oidc-account-unknown`, `oidc-account-taken`, `not-a-member`, `team-required`
   * and what joining throws.
   */
  async admit(identity: OidcIdentity, team: string | undefined, actor: Actor): Promise<Admitted> {
    const origin = { requestId: actor.requestId, address: actor.address };
    const linked = await this.accounts.findByIdentity(identity);
    const person = linked ?? (await this.findByAddress(identity, actor));
    const memberships = person ? await this.teams.listMemberships(person.id) : [];
    const membership = team === undefined ? memberships.at(0) : memberships.find(({ slug }) => slug === team);
    // Even if the person gets into no team now: from here on the account is theirs, and no stranger's.
    if (person && !linked && isVerified(identity)) {
      const teamId = (membership ?? memberships.at(0))?.teamId;
      await this.accounts.link(person, identity, { teamId, origin });
    }
    if (person && membership) return { person, membership };
    if (!isVerified(identity)) throw this.refuse(identity, { person, team, actor });
    const joining = await this.findJoining(identity.verifiedEmail, team);
    if (!joining) throw this.refuse(identity, { person, team, actor });
    const joined = await this.accounts.join(joining, identity, { person, origin });
    return { person: joined.person, membership: { ...joining.membership, role: joined.role } };
  }

  /** Only who is not known by another identity of this provider: it may have given an old address to somebody new. */
  private async findByAddress(identity: OidcIdentity, actor: Actor): Promise<Person | undefined> {
    if (!isVerified(identity)) return undefined;
    const account = await this.teams.findAccountByEmail(identity.verifiedEmail);
    if (!account) return undefined;
    if (!(await this.accounts.isLinked(account.id, identity.issuer))) return account;
    this.note('oidc-account-taken', identity, actor);
    const detail =
      'There is an account with this address, and it is linked to another subject of the provider.';
    throw new ProblemError('oidc-account-taken', detail);
  }

  /** Without `team` it is the operators who say which: an invitation must not lead past the team that everybody joins. */
  private async findJoining(email: string, team: string | undefined): Promise<Joining | undefined> {
    const { autoJoin } = this.provider.settings;
    const invitations = await this.accounts.listOpenInvitations(email);
    const wanted = team ?? autoJoin?.teamSlug ?? onlyTeamOf(invitations);
    const invitation = invitations.find(({ slug }) => slug === wanted);
    if (invitation) {
      const { id, teamId, slug, name, role } = invitation;
      return { membership: { teamId, slug, name, role }, invitationId: id };
    }
    if (!autoJoin || wanted !== autoJoin.teamSlug) return undefined;
    const found = await this.accounts.findTeam(autoJoin.teamSlug);
    if (!found) {
      this.log.error({ slug: autoJoin.teamSlug }, 'OIDC_AUTO_JOIN_TEAM names a team that does not exist.');
      return undefined;
    }
    return { membership: { teamId: found.id, slug: found.slug, name: found.name, role: autoJoin.role } };
  }

  private refuse(
    identity: OidcIdentity,
    { person, team, actor }: { person: Person | undefined; team: string | undefined; actor: Actor },
  ): ProblemError {
    if (person) {
      const detail =
        team === undefined
          ? 'You are in no team, and hold no open invitation.'
          : `You are in no team with the slug ${team}, and hold no open invitation to it.`;
      return new ProblemError('not-a-member', detail);
    }
    const to = team === undefined ? '' : ` to the team ${team}`;
    const code = isVerified(identity) ? 'oidc-account-unknown' : 'oidc-email-unverified';
    this.note(code, identity, actor);
    const detail = isVerified(identity)
      ? `There is no account with the e-mail address that the provider gave, and no open invitation for it${to}.`
      : 'The provider gave no e-mail address that it has verified, and you have not signed in with it before.';
    return new ProblemError(code, detail);
  }

  private note(code: string, { issuer, verifiedEmail }: OidcIdentity, { address, requestId }: Actor): void {
    const email = verifiedEmail === undefined ? undefined : maskEmail(verifiedEmail);
    this.log.warn(
      { code, issuer, email, address, requestId },
      'a sign-in with the OpenID provider was refused',
    );
  }
}

function isVerified(identity: OidcIdentity): identity is VerifiedIdentity {
  return identity.verifiedEmail !== undefined;
}

/** The team that all invitations are to; undefined without any. Throws `team-required`. */
function onlyTeamOf(invitations: OpenInvitation[]): string | undefined {
  const slugs = [...new Set(invitations.map(({ slug }) => slug))];
  if (slugs.length <= 1) return slugs[0];
  throw new ProblemError('team-required', `You are invited to several teams: ${slugs.join(', ')}.`, {
    action: 'Begin again at GET /v1/auth/oidc/start and name one of them in the parameter team.',
  });
}
