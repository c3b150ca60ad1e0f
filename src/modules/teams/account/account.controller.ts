import { Body, Controller, Delete, HttpCode } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Actor } from '../../../platform/audit';
import { ApiProblems } from '../../../platform/http';
import { CurrentPrincipal, RequireScope } from '../access.decorators';
import { CurrentActor } from '../current-actor';
import { type Principal } from '../principal';
import { LimitAttempts } from '../sessions/attempts.guard';
import { refuseTokens } from '../sessions/refuse-tokens';
import { AccountDeletionService } from './account-deletion.service';
import { AccountDeletionDto } from './schemas';

@ApiTags('Sign-in')
@Controller('v1/me')
export class AccountController {
  constructor(private readonly deletions: AccountDeletionService) {}

  @Delete()
  @HttpCode(204)
  @RequireScope()
  @LimitAttempts('account-deletion')
  @ApiOperation({
    summary: 'Delete your account, for good and in all teams',
    description:
      'Takes the current password, or of people who have none a sign-in of the last ten minutes. Memberships, sessions, ' +
      'links to an OpenID provider and open invitations of and to you go; runs, API tokens and all else belong to the teams ' +
      'and stay. The audit logs keep who did what: your id, and your address in entries of before.',
  })
  @ApiBody({ type: AccountDeletionDto, required: false })
  @ApiProblems(
    'person-required',
    'password-wrong',
    'fresh-sign-in-needed',
    'last-owner',
    'conflict',
    'sign-in-busy',
  )
  @ApiNoContentResponse({ description: 'The account is gone, and with it whatever you were signed in to.' })
  async deleteAccount(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Body() { currentPassword }: AccountDeletionDto,
  ): Promise<void> {
    refuseTokens(principal);
    await this.deletions.delete(principal, currentPassword, actor);
  }
}
