import { Injectable, Logger } from '@nestjs/common';
import type * as OpenidClient from 'openid-client';
import { type ApiConfig, InjectConfig, type OidcConfig } from '../../../platform/config';
import { ProblemError } from '../../../platform/errors';
import { toOidcProblem } from './oidc-errors';
import { type OidcIdentity, toIdentity } from './oidc-identity';

const answerTimeoutS = 5;
/** So long what the provider says of itself is believed; then it is asked again. */
const freshMs = 3_600_000;
/** While it does not answer that, what it said before holds, and it is asked again this much later. */
const staleRetryMs = 60_000;

/** Secrets of one sign-in on its way through the provider. */
export interface LoginSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

interface Discovered {
  configuration: OpenidClient.Configuration;
  freshUntilMs: number;
}

/** The OpenID provider of the configuration: authorization code flow with PKCE. Connects when first needed. */
@Injectable()
export class OidcProvider {
  private readonly log = new Logger(OidcProvider.name);
  private readonly config: OidcConfig | undefined;
  private discovered: Discovered | undefined;
  private discovering: Promise<OpenidClient.Configuration> | undefined;

  constructor(@InjectConfig() { auth }: ApiConfig) {
    this.config = auth.oidc;
  }

  /** Throws `oidc-not-configured`. */
  get settings(): OidcConfig {
    if (this.config) return this.config;
    throw new ProblemError('oidc-not-configured', 'The operators have not set OIDC_ISSUER.');
  }

  /** Where the browser is sent, and the secrets to check what it comes back with. Throws `oidc-unavailable`. */
  async begin(): Promise<{ url: URL; secrets: LoginSecrets }> {
    const { scopes } = this.settings;
    return this.explained(async (client) => {
      const configuration = await this.discover(client);
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUri,
        scope: scopes,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, secrets };
    });
  }

  /**
   * Who came back: exchanges the code of the query string and checks state, nonce, issuer, audience and signature.
   * Throws `oidc-refused`, `oidc-answer-invalid` or `oidc-unavailable`.
   */
  async finish(query: string, { state, nonce, codeVerifier }: LoginSecrets): Promise<OidcIdentity> {
    return this.explained(async (client) => {
      const configuration = await this.discover(client);
      const answer = new URL(`${this.redirectUri}?${query}`);
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      // Many providers say little in the ID token; what they say of the same subject elsewhere is as good.
      const isComplete = claims?.email !== undefined && claims.email_verified !== undefined;
      const more =
        isComplete || configuration.serverMetadata().userinfo_endpoint === undefined
          ? undefined
          : await client.fetchUserInfo(configuration, tokens.access_token, claims?.sub ?? '');
      return toIdentity(claims, more);
    });
  }

  private get redirectUri(): string {
    return `${this.settings.publicUrl}/v1/auth/oidc/callback`;
  }

  private async explained<T>(work: (client: typeof OpenidClient) => Promise<T>): Promise<T> {
    try {
      // An ES module; loaded when it is needed, as installations without a provider never need it.
      return await work(await import('openid-client'));
    } catch (error) {
      throw toOidcProblem(error);
    }
  }

  private async discover(client: typeof OpenidClient): Promise<OpenidClient.Configuration> {
    const known = this.discovered;
    if (known && Date.now() < known.freshUntilMs) return known.configuration;
    this.discovering ??= this.ask(client).finally(() => (this.discovering = undefined));
    if (!known) return this.discovering;
    return this.discovering.catch((error: unknown) => {
      known.freshUntilMs = Date.now() + staleRetryMs;
      this.log.warn({ err: toOidcProblem(error).cause }, 'the OpenID provider did not describe itself again');
      return known.configuration;
    });
  }

  private async ask(client: typeof OpenidClient): Promise<OpenidClient.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    // Only a provider on this machine: the configuration refuses every other one without https.
    const execute = issuer.startsWith('http://') ? [client.allowInsecureRequests] : [];
    const secret = { client_secret: clientSecret };
    const basic = client.ClientSecretBasic(clientSecret);
    const post = client.ClientSecretPost(clientSecret);
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      secret,
      // A provider that does not say takes the secret in the header, as the specification has it.
      (server, ...rest) =>
        (server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes(
          'client_secret_basic',
        )
          ? basic(server, ...rest)
          : post(server, ...rest),
      { execute, timeout: answerTimeoutS },
    );
    this.discovered = { configuration, freshUntilMs: Date.now() + freshMs };
    return configuration;
  }
}
