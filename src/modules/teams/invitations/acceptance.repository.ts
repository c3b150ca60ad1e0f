import { Injectable } from '@nestjs/common';
import { Database, type FoundInvitation, isUniqueViolation } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { type Role } from '../principal';
import { type AccountReference } from '../teams.repository';
import { joinByInvitation, type Origin } from './joining.repository';

/** Invitations as those who were invited see them. */
@Injectable()
export class AcceptanceRepository {
  constructor(private readonly database: Database) {}

  async find(tokenHash: Uint8Array): Promise<FoundInvitation | undefined> {
    return this.database.withoutTeam((scope) => scope.findInvitation(tokenHash));
  }

  /**
   * `joinByInvitation` in a transaction of its own; gives the role in force. Throws what that throws, or `conflict` when an
   * account with the address was created at the same time.
   */
  async accept(invitation: FoundInvitation, account: AccountReference, origin: Origin): Promise<Role> {
    try {
      const { role } = await this.database.forTeam(invitation.teamId, (scope) =>
        joinByInvitation(scope, invitation, account, origin),
      );
      return role;
    } catch (error) {
      if (!isUniqueViolation(error, 'users_email_key')) throw error;
      throw new ProblemError('conflict', 'The account was created by another request at the same time.', {
        cause: error,
        action: 'Send the same request again; the password must be that of the account.',
        retryAfterS: 1,
      });
    }
  }
}
