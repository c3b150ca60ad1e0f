import { Controller, Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { parseCookie, stringifySetCookie } from 'cookie';
import { type Request, type Response } from 'express';
import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { type Actor } from '../../../platform/audit';
import { type ApiConfig, InjectConfig } from '../../../platform/config';
import { ApiProblems, Public } from '../../../platform/http';
import { CurrentActor } from '../current-actor';
import { teamSlug } from '../schemas';
import { LimitAttempts } from '../sessions/attempts.guard';
import { RefreshCookie } from '../sessions/refresh-cookie';
import { SignedInDto } from '../sessions/schemas';
import { loginTtlS, OidcLoginService } from './oidc-login.service';
import { returnTo } from './return-to';
import { type SignInLocals, SignInProblemFilter } from './sign-in-problem.filter';

const stateCookie = 'stallscope_oidc';

class OidcStartDto extends createZodDto(
  z.strictObject({
    team: teamSlug
      .optional()
      .describe(
        'Slug of the team to sign in to, by an open invitation if you are not in it. When left out: the oldest membership; ' +
          'without any the team that everybody joins, or the only one that has invited you.',
      ),
    returnTo: returnTo
      .optional()
      .describe('Path on this server to send the browser to afterwards; without it the answer is JSON.'),
  }),
) {}

/** Providers add parameters of their own; the library checks those that matter. */
class OidcCallbackDto extends createZodDto(z.looseObject({ state: z.string().min(1).max(500) })) {}

@ApiTags('Sign-in')
@Controller('v1/auth/oidc')
@UseFilters(SignInProblemFilter)
export class OidcController {
  private readonly refreshCookie: RefreshCookie;
  private readonly isSecure: boolean;

  constructor(
    @InjectConfig() config: ApiConfig,
    private readonly logins: OidcLoginService,
  ) {
    this.refreshCookie = new RefreshCookie(config);
    this.isSecure = config.http.publicUrl?.startsWith('https://') ?? false;
  }

  @Get('start')
  @Public()
  @LimitAttempts('oidc-start')
  @ApiOperation({ summary: 'Begin to sign in with the OpenID provider; for browsers' })
  @ApiResponse({
    status: 302,
    description:
      'To the provider, with a cookie that ties the sign-in to this browser. A browser (Accept: text/html) for which that ' +
      'fails is sent to the sign-in page, which says why.',
  })
  @ApiProblems('oidc-not-configured', 'oidc-unavailable', 'oidc-answer-invalid')
  async startOidcLogin(@Query() query: OidcStartDto, @Res() response: Response): Promise<void> {
    (response.locals as SignInLocals).returnTo = query.returnTo;
    const { url, state } = await this.logins.start(query.team, query.returnTo);
    this.setState(response, state, loginTtlS);
    response.redirect(302, url);
  }

  @Get('callback')
  @Public()
  @LimitAttempts('oidc-callback')
  @ApiOperation({ summary: 'Where the OpenID provider sends the browser back to' })
  @ApiOkResponse({
    type: SignedInDto.Output,
    description: 'A new session, when there is nowhere to return to.',
  })
  @ApiResponse({
    status: 302,
    description:
      'To returnTo, with the refresh token in a cookie; a browser (Accept: text/html) whose sign-in failed, to the sign-in page.',
  })
  @ApiProblems(
    ...(['oidc-not-configured', 'oidc-login-invalid', 'oidc-refused', 'oidc-email-unverified'] as const),
    ...(['oidc-account-unknown', 'oidc-account-taken', 'not-a-member', 'team-required'] as const),
    ...(['invitation-ended', 'not-found', 'conflict'] as const),
    ...(['oidc-answer-invalid', 'oidc-unavailable'] as const),
  )
  async finishOidcLogin(
    @Query() { state }: OidcCallbackDto,
    @CurrentActor() actor: Actor,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const cookieState = parseCookie(request.header('cookie') ?? '')[stateCookie];
    const query = request.originalUrl.slice(request.originalUrl.indexOf('?') + 1);
    const client = { actor, userAgent: request.header('user-agent') };
    const callback = { query, state, cookieState };
    const login = await this.logins.take(callback);
    (response.locals as SignInLocals).returnTo = login.returnTo;
    const issued = await this.logins.finish(login, callback, client);
    this.setState(response, '', 0);
    if (login.returnTo === null) {
      response.json(issued);
      return;
    }
    this.refreshCookie.write(response, issued.refreshToken);
    response.redirect(302, login.returnTo);
  }

  /** Lax: the browser comes back from another site, where a strict cookie would stay behind. */
  private setState(response: Response, state: string, maxAgeS: number): void {
    response.append(
      'Set-Cookie',
      stringifySetCookie(stateCookie, state, {
        httpOnly: true,
        sameSite: 'lax',
        secure: this.isSecure,
        path: '/v1/auth/oidc',
        maxAge: maxAgeS,
      }),
    );
  }
}
