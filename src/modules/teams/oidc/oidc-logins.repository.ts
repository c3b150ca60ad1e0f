import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database';

export interface StoredLogin {
  nonce: string;
  codeVerifier: string;
  teamSlug: string | null;
  returnTo: string | null;
  expiresAt: Date;
}

/** Sign-ins that are on their way through the provider. */
@Injectable()
export class OidcLoginsRepository {
  constructor(private readonly database: Database) {}

  /** `stateHash`: SHA-256 of the state, which the browser alone has. */
  async store(stateHash: Uint8Array<ArrayBuffer>, login: StoredLogin): Promise<void> {
    await this.database.withoutTeam(({ oidcLogin }) => oidcLogin.create({ data: { stateHash, ...login } }));
  }

  /** Takes a sign-in out of the store: it can be taken once. Undefined when there is none, or its time is over. */
  async take(stateHash: Uint8Array<ArrayBuffer>, now: Date): Promise<StoredLogin | undefined> {
    const login = await this.database.withoutTeam((scope) => scope.takeOidcLogin(stateHash));
    return login && login.expiresAt > now ? login : undefined;
  }
}
