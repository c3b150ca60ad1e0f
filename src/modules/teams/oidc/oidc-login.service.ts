import { Injectable } from '@nestjs/common';
import { ProblemError } from '../../../platform/errors';
import { type Client, type IssuedSession, SessionsService } from '../sessions/sessions.service';
import { tokenHash } from '../tokens/api-token';
import { OidcAccountsService } from './oidc-accounts.service';
import { OidcLoginsRepository, type StoredLogin } from './oidc-logins.repository';
import { OidcProvider } from './oidc-provider';

/** How long somebody may take at the provider. */
export const loginTtlS = 600;

/** What a browser came back with. */
export interface Callback {
  /** The query string, without the question mark. */
  query: string;
  state: string;
  /** The state in the browser's cookie. */
  cookieState: string | undefined;
}

/** Sends browsers to the OpenID provider, and starts sessions of those that come back. */
@Injectable()
export class OidcLoginService {
  constructor(
    private readonly provider: OidcProvider,
    private readonly logins: OidcLoginsRepository,
    private readonly accounts: OidcAccountsService,
    private readonly sessions: SessionsService,
  ) {}

  /** Where to send the browser, and the state that it must keep. Throws `oidc-not-configured` or `oidc-unavailable`. */
  async start(
    team: string | undefined,
    returnTo: string | undefined,
  ): Promise<{ url: string; state: string }> {
    const { url, secrets } = await this.provider.begin();
    const { state, nonce, codeVerifier } = secrets;
    await this.logins.store(tokenHash(state), {
      nonce,
      codeVerifier,
      teamSlug: team ?? null,
      returnTo: returnTo ?? null,
      expiresAt: new Date(Date.now() + loginTtlS * 1000),
    });
    return { url: url.href, state };
  }

  /** The sign-in that the browser comes back from; it can be taken once. Throws `oidc-login-invalid`. */
  async take({ state, cookieState }: Callback): Promise<StoredLogin> {
    // Before anything else: a sign-in begun by somebody else must not be finished here, nor be used up from here.
    if (cookieState !== state) throw invalid('It was not begun in this browser.');
    const login = await this.logins.take(tokenHash(state), new Date());
    if (!login) throw invalid(`It is finished already, or took longer than ${loginTtlS / 60} minutes.`);
    return login;
  }

  /** A session of whom the provider vouches for. Throws `oidc-login-invalid` and what provider and accounts throw. */
  async finish(
    { nonce, codeVerifier, teamSlug }: StoredLogin,
    { query, state }: Callback,
    client: Client,
  ): Promise<IssuedSession> {
    const identity = await this.provider.finish(query, { state, nonce, codeVerifier });
    const { person, membership } = await this.accounts.admit(identity, teamSlug ?? undefined, client.actor);
    const issued = await this.sessions.start(person, membership, { method: 'oidc', client });
    if (!issued) throw invalid('The account changed in between.');
    return issued;
  }
}

function invalid(detail: string): ProblemError {
  return new ProblemError('oidc-login-invalid', detail);
}
