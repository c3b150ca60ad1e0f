import { parseCookie, stringifySetCookie } from 'cookie';
import { type Request, type Response } from 'express';
import { type ApiConfig } from '../../../platform/config';
import { ProblemError } from '../../../platform/errors';

const cookieName = 'stallscope_refresh';

/**
 * The refresh token of a browser: a cookie that scripts cannot read and that goes to the sign-in routes only.
 * No other site can use it: SameSite=Strict keeps it at home, and the routes that read it want JSON, which a form cannot
 * send and a script of another origin (a sibling subdomain is the same site) may not send without our leave (CORS).
 */
export class RefreshCookie {
  private readonly isSecure: boolean;
  private readonly maxAgeS: number;

  constructor({ http, auth }: ApiConfig) {
    this.isSecure = http.publicUrl?.startsWith('https://') ?? false;
    this.maxAgeS = auth.refreshTtlS;
  }

  /** Throws `unsupported-media-type` when there is a cookie and the request is not JSON. */
  read(request: Request): string | undefined {
    const token = parseCookie(request.header('cookie') ?? '')[cookieName];
    if (!token) return undefined;
    if (request.is('json')) return token;
    throw new ProblemError('unsupported-media-type', 'A refresh token in a cookie is only read with JSON.', {
      action: 'Send a JSON body, {} at least, with the header Content-Type: application/json.',
    });
  }

  write(response: Response, token: string): void {
    this.append(response, token, this.maxAgeS);
  }

  clear(response: Response): void {
    this.append(response, '', 0);
  }

  private append(response: Response, value: string, maxAgeS: number): void {
    response.append(
      'Set-Cookie',
      stringifySetCookie(cookieName, value, {
        httpOnly: true,
        sameSite: 'strict',
        secure: this.isSecure,
        path: '/v1/auth',
        maxAge: maxAgeS,
      }),
    );
  }
}
