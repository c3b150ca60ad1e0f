import { Catch } from '@nestjs/common';
import { stringifySetCookie } from 'cookie';
import { type Request, type Response } from 'express';
import { type ApiConfig, InjectConfig } from '../../../platform/config';
import { type ProblemError, renderProblem } from '../../../platform/errors';
import { asksForPage, ProblemFilter, requestIdOf } from '../../../platform/http';

const signInPage = '/sign-in';
/** Read and deleted by the page; an address could be made up by anybody. */
const problemCookie = 'stallscope_problem';
const problemTtlS = 60;
/** Browsers keep 4 kB, and half of it may be escapes. */
const longestDetail = 600;

/** What a handler may say of where the browser wanted to go. */
export interface SignInLocals {
  returnTo?: string | null;
}

/** A sign-in that failed in a browser leads to the page where people sign in, which says why; others get the problem. */
@Catch()
export class SignInProblemFilter extends ProblemFilter {
  private readonly isSecure: boolean;

  constructor(@InjectConfig() { http }: ApiConfig) {
    super();
    this.isSecure = http.publicUrl?.startsWith('https://') ?? false;
  }

  protected override answer(request: Request, response: Response, problem: ProblemError): void {
    response.vary('Accept');
    if (response.headersSent || !asksForPage(request)) return super.answer(request, response, problem);
    const { errors: _, detail, ...said } = renderProblem(problem, requestIdOf(request));
    const value = JSON.stringify({ ...said, detail: detail.slice(0, longestDetail) });
    response.append(
      'Set-Cookie',
      stringifySetCookie(problemCookie, value, {
        sameSite: 'lax',
        secure: this.isSecure,
        path: signInPage,
        maxAge: problemTtlS,
      }),
    );
    response.locals.problemCode = problem.code;
    const { returnTo } = response.locals as SignInLocals;
    response.redirect(302, returnTo ? `${signInPage}?to=${encodeURIComponent(returnTo)}` : signInPage);
  }
}
