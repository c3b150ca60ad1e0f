import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ApiProblems, Public } from '../../../platform/http';
import { type AuthenticatedRequest } from '../access.decorators';
import { actorOf } from '../current-actor';
import { LimitAttempts } from '../sessions/attempts.guard';
import { AcceptanceService } from './acceptance.service';
import { MaybeSignedInGuard } from './maybe-signed-in.guard';
import { AcceptanceDto, AcceptedInvitationDto, InvitationPreviewDto, InvitationTokenDto } from './schemas';

@ApiTags('Invitations')
@Controller('v1/invitations')
export class AcceptanceController {
  constructor(private readonly acceptances: AcceptanceService) {}

  @Post('preview')
  @HttpCode(200)
  @Public()
  @ApiOperation({ summary: 'What an invitation is to, for whoever has its token' })
  @ZodResponse({ status: 200, type: InvitationPreviewDto })
  @LimitAttempts('invitation')
  @ApiProblems('invitation-unknown', 'invitation-ended')
  async previewInvitation(@Body() { token }: InvitationTokenDto) {
    const { teamSlug: slug, teamName: name, role, email, expiresAt } = await this.acceptances.preview(token);
    return { team: { slug, name }, role, email, expiresAt: expiresAt.toISOString() };
  }

  @Post('accept')
  @HttpCode(200)
  @Public()
  @UseGuards(MaybeSignedInGuard)
  @LimitAttempts('invitation')
  @ApiOperation({
    summary: 'Accept an invitation and become a member of the team; works once',
    description:
      'Send the access token of the invited address, or a password: that of the account of this address, or, when there is ' +
      'none, the one of the account that is created. Who is a member already keeps their role when it is the higher one. ' +
      'Then sign in with POST /v1/auth/login.',
  })
  @ZodResponse({ status: 200, type: AcceptedInvitationDto })
  @ApiProblems(
    'invitation-unknown',
    'invitation-ended',
    'invitation-proof-needed',
    'invitation-for-another',
    'login-failed',
    'conflict',
  )
  async acceptInvitation(@Req() request: AuthenticatedRequest, @Body() body: AcceptanceDto) {
    const { requestId, address } = actorOf(request, request.principal);
    return this.acceptances.accept(body, request.principal, { requestId, address });
  }
}
