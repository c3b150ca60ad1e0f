import { Module } from '@nestjs/common';
import { SignInModule } from '../sessions/sign-in.module';
import { OidcAccountsRepository } from './oidc-accounts.repository';
import { OidcAccountsService } from './oidc-accounts.service';
import { OidcController } from './oidc.controller';
import { OidcLoginService } from './oidc-login.service';
import { OidcLoginsRepository } from './oidc-logins.repository';
import { OidcProvider } from './oidc-provider';

/** Sign-in with the accounts of an OpenID provider. */
@Module({
  imports: [SignInModule],
  controllers: [OidcController],
  providers: [
    OidcAccountsRepository,
    OidcAccountsService,
    OidcLoginService,
    OidcLoginsRepository,
    OidcProvider,
  ],
})
export class OidcModule {}
