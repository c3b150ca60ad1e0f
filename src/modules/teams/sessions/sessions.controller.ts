import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { ApiProblems } from '../../../platform/http';
import { CurrentPrincipal, RequireScope } from '../access.decorators';
import { CurrentActor } from '../current-actor';
import { type Principal } from '../principal';
import { PageQueryDto } from '../schemas';
import { LimitAttempts } from './attempts.guard';
import { LoginService } from './login.service';
import { refuseTokens } from './refuse-tokens';
import { PasswordChangeDto, SessionIdDto, SessionPageDto } from './schemas';
import { SessionsService } from './sessions.service';

/** What people do about their own sessions and password. */
@ApiTags('Sign-in')
@Controller('v1/auth')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly logins: LoginService,
  ) {}

  @Get('sessions')
  @RequireScope()
  @ApiOperation({ summary: 'List your sessions that go on, the newest first' })
  @ApiProblems('person-required')
  @ZodResponse({ status: 200, type: SessionPageDto })
  async listSessions(@CurrentPrincipal() principal: Principal, @Query() { limit, cursor }: PageQueryDto) {
    refuseTokens(principal);
    return this.sessions.list(principal, limit, cursor);
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @RequireScope()
  @ApiOperation({ summary: 'End one of your sessions, at once' })
  @ApiProblems('person-required', 'session-not-found')
  @ApiNoContentResponse({ description: 'The session has ended.' })
  async endSession(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: SessionIdDto,
  ): Promise<void> {
    refuseTokens(principal);
    await this.sessions.endOwn(principal.id, id, 'ended-by-person', actor);
  }

  @Post('password')
  @HttpCode(204)
  @RequireScope()
  @LimitAttempts('password-change')
  @ApiOperation({ summary: 'Change your password; ends all your other sessions' })
  @ApiProblems('person-required', 'password-wrong', 'session-ended', 'sign-in-busy')
  @ApiNoContentResponse({ description: 'The new password holds, and all other sessions have ended.' })
  async changePassword(
    @CurrentPrincipal() principal: Principal,
    @CurrentActor() actor: Actor,
    @Body() change: PasswordChangeDto,
  ): Promise<void> {
    refuseTokens(principal);
    await this.logins.changePassword(principal, change, actor);
  }
}
