import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { type ApiConfig, InjectConfig } from '../../../platform/config';
import { ProblemError } from '../../../platform/errors';
import { ApiProblems, Public } from '../../../platform/http';
import { CurrentActor } from '../current-actor';
import { LimitAttempts } from './attempts.guard';
import { LoginService } from './login.service';
import { RefreshCookie } from './refresh-cookie';
import { LoginDto, LogoutDto, RefreshDto, SignedInDto, SignInMethodsDto } from './schemas';
import { type IssuedSession, SessionsService } from './sessions.service';

@ApiTags('Sign-in')
@Controller('v1/auth')
export class AuthController {
  private readonly cookie: RefreshCookie;

  constructor(
    @InjectConfig() private readonly config: ApiConfig,
    private readonly logins: LoginService,
    private readonly sessions: SessionsService,
  ) {
    this.cookie = new RefreshCookie(config);
  }

  @Get('methods')
  @Public()
  @ApiOperation({ summary: 'The ways to sign in that there are here' })
  @ZodResponse({ status: 200, type: SignInMethodsDto })
  getSignInMethods() {
    const { oidc } = this.config.auth;
    return { password: true, oidc: oidc ? { issuer: oidc.issuer, startPath: '/v1/auth/oidc/start' } : null };
  }

  @Post('login')
  @Public()
  @LimitAttempts('login')
  @ApiOperation({ summary: 'Log in with e-mail address and password' })
  @ApiProblems('login-failed', 'not-a-member', 'team-required', 'sign-in-busy')
  @ZodResponse({ status: 200, type: SignedInDto, description: 'A new session of one team.' })
  async login(
    @Body() { delivery, ...login }: LoginDto,
    @CurrentActor() actor: Actor,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const issued = await this.logins.login(login, { actor, userAgent: request.header('user-agent') });
    return this.deliver(issued, delivery, response);
  }

  @Post('refresh')
  @Public()
  @LimitAttempts('refresh')
  @ApiOperation({
    summary: 'Use a refresh token up for a new access token and the next refresh token',
    description:
      'A refresh token gives one successor. Using it a second time ends the session: one of the two users has stolen it. ' +
      'In a cookie it may come again for ten seconds, while nobody has used its successor: a page that is left does not see the answer.',
  })
  @ApiProblems(
    ...(['refresh-token-missing', 'refresh-token-unknown', 'refresh-token-reused'] as const),
    ...(['refresh-token-in-use', 'session-ended', 'membership-ended', 'not-a-member'] as const),
  )
  @ZodResponse({ status: 200, type: SignedInDto, description: 'The session goes on.' })
  async refreshSession(
    @Body() body: RefreshDto,
    @CurrentActor() actor: Actor,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const fromCookie = body.refreshToken === undefined ? this.cookie.read(request) : undefined;
    const token = body.refreshToken ?? fromCookie;
    if (token === undefined) throw missing();
    const issued = await this.sessions.refresh(token, body.team, actor, {
      isCookie: fromCookie !== undefined,
    });
    // A script that got into the page must not be able to ask the cookie out into the open.
    return this.deliver(issued, fromCookie === undefined ? body.delivery : 'cookie', response);
  }

  @Post('logout')
  @Public()
  @HttpCode(204)
  @LimitAttempts('refresh')
  @ApiOperation({
    summary: 'End the session of a refresh token or of an access token',
    description:
      'Takes a refresh token in the body or the cookie, or else an access token in the header Authorization. Its access ' +
      'tokens are refused from then on. Ending a session that has ended changes nothing.',
  })
  @ApiBody({ type: LogoutDto, required: false })
  @ApiProblems('refresh-token-missing', 'session-invalid')
  @ApiNoContentResponse({ description: 'The session has ended.' })
  async logout(
    @Body() body: LogoutDto,
    @CurrentActor() actor: Actor,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const refreshToken = body.refreshToken ?? this.cookie.read(request);
    const [, accessToken] = /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '') ?? [];
    if (refreshToken !== undefined) await this.sessions.endByRefreshToken(refreshToken, actor);
    else if (accessToken !== undefined) await this.sessions.endByAccessToken(accessToken, actor);
    else throw missing();
    this.cookie.clear(response);
  }

  private deliver({ refreshToken, ...rest }: IssuedSession, delivery: 'body' | 'cookie', response: Response) {
    if (delivery === 'body') return { ...rest, refreshToken };
    this.cookie.write(response, refreshToken);
    return rest;
  }
}

function missing(): ProblemError {
  return new ProblemError('refresh-token-missing', 'There is none in the body, and none in a cookie.');
}
