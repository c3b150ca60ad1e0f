import { Injectable, Logger } from '@nestjs/common';
import { type Actor } from '../../../platform/audit';
import { type FoundMembership } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { chooseTeam } from '../sessions/choose-team';
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
   * By identity; the first time by an address that the provider has verified; without an account by an open invitation, or
   * into the team that everybody joins. Without `team`, into the team that the person has been in the longest.
   * Throws `oidc-email-unverified`, `oidc-account-unknown`, `oidc-account-taken` or `not-a-member`.
   */
  async admit(identity: OidcIdentity, team: string | undefined, actor: Actor): Promise<Admitted> {
    const linked = await this.accounts.findByIdentity(identity);
    const person = linked ?? (await this.findByAddress(identity, actor));
    const memberships = person ? await this.teams.listMemberships(person.id) : [];
    if (person && memberships.length > 0) {
      const membership = team === undefined ? memberships[0] : chooseTeam(memberships, team);
      if (!linked && isVerified(identity)) {
        await this.accounts.link(membership.teamId, person, identity, actorOf(actor, person));
      }
      return { person, membership };
    }
    const joining = isVerified(identity) ? await this.findJoining(identity.verifiedEmail, team) : undefined;
    if (!joining || !isVerified(identity)) throw this.refuse(identity, person, actor);
    const joined = await this.accounts.join(joining, identity, {
      person,
      isLinked: linked !== undefined,
      actor: { ...actor, name: identity.verifiedEmail },
    });
    return { person: joined, membership: joining.membership };
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

  private async findJoining(email: string, team: string | undefined): Promise<Joining | undefined> {
    const invitations = await this.accounts.listOpenInvitations(email);
    const invitation = team === undefined ? invitations[0] : invitations.find(({ slug }) => slug === team);
    if (invitation) {
      const { id, teamId, slug, name, role } = invitation;
      return { membership: { teamId, slug, name, role }, invitationId: id };
    }
    const { autoJoin } = this.provider.settings;
    if (!autoJoin || (team !== undefined && team !== autoJoin.teamSlug)) return undefined;
    const found = await this.accounts.findTeam(autoJoin.teamSlug);
    if (!found) {
      this.log.error({ slug: autoJoin.teamSlug }, 'OIDC_AUTO_JOIN_TEAM names a team that does not exist.');
      return undefined;
    }
    return { membership: { teamId: found.id, slug: found.slug, name: found.name, role: autoJoin.role } };
  }

  private refuse(identity: OidcIdentity, person: Person | undefined, actor: Actor): ProblemError {
    if (person) return new ProblemError('not-a-member', 'You are in no team, and hold no invitation to one.');
    const code = isVerified(identity) ? 'oidc-account-unknown' : 'oidc-email-unverified';
    this.note(code, identity, actor);
    const detail = isVerified(identity)
      ? 'There is no account with the e-mail address that the provider gave, and no open invitation for it.'
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

function actorOf(actor: Actor, { id, email }: Person): Actor {
  return { ...actor, kind: 'user', id, name: email };
}
