import { Logger, Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { type ApiConfig, InjectConfig } from '../../platform/config';
import { AccessGuard } from './access.guard';
import { AccountController } from './account/account.controller';
import { AccountDeletionRepository } from './account/account-deletion.repository';
import { AccountDeletionService } from './account/account-deletion.service';
import { ApiTokensRepository } from './tokens/api-tokens.repository';
import { ApiTokensService } from './tokens/api-tokens.service';
import { MeController } from './me.controller';
import { OidcModule } from './oidc/oidc.module';
import { PasswordResetController } from './password-reset/password-reset.controller';
import { PasswordResetService } from './password-reset/password-reset.service';
import { PasswordResetsRepository } from './password-reset/password-resets.repository';
import { RunLimitsGuard } from './run-limits.guard';
import { RunLimitsRepository } from './run-limits.repository';
import { SignInModule } from './sessions/sign-in.module';
import { TeamsService } from './teams.service';
import { AcceptanceController } from './invitations/acceptance.controller';
import { MaybeSignedInGuard } from './invitations/maybe-signed-in.guard';
import { AcceptanceRepository } from './invitations/acceptance.repository';
import { AcceptanceService } from './invitations/acceptance.service';
import { InvitationsController } from './invitations/invitations.controller';
import { InvitationsRepository } from './invitations/invitations.repository';
import { MembersController } from './members/members.controller';
import { MembersRepository } from './members/members.repository';
import { ServiceAccountsController } from './service-accounts/service-accounts.controller';
import { ServiceAccountsRepository } from './service-accounts/service-accounts.repository';
import { TeamCreationController } from './creation/team-creation.controller';
import { TokensController } from './tokens/tokens.controller';
import { refuseUndeclaredRoutes } from './undeclared-routes';

/** Accounts, teams, tokens and sign-in; guards every route of the application that imports it. */
@Module({
  imports: [DiscoveryModule, OidcModule, SignInModule],
  controllers: [
    AcceptanceController,
    AccountController,
    InvitationsController,
    MeController,
    MembersController,
    PasswordResetController,
    ServiceAccountsController,
    TeamCreationController,
    TokensController,
  ],
  providers: [
    AcceptanceRepository,
    AcceptanceService,
    AccountDeletionRepository,
    AccountDeletionService,
    ApiTokensRepository,
    ApiTokensService,
    InvitationsRepository,
    MaybeSignedInGuard,
    MembersRepository,
    PasswordResetService,
    PasswordResetsRepository,
    RunLimitsGuard,
    RunLimitsRepository,
    ServiceAccountsRepository,
    TeamsService,
    AccessGuard,
    { provide: APP_GUARD, useExisting: AccessGuard },
  ],
  exports: [AccessGuard, TeamsService],
})
export class TeamsModule implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger(TeamsModule.name);

  constructor(
    @InjectConfig() private readonly config: ApiConfig,
    private readonly discovery: DiscoveryService,
    private readonly teams: TeamsService,
  ) {}

  onModuleInit(): void {
    refuseUndeclaredRoutes(this.discovery);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bootstrap } = this.config.auth;
    if (!bootstrap) return;
    const { teamId, created } = await this.teams.bootstrap(bootstrap);
    if (created)
      this.logger.log({ teamId, slug: bootstrap.teamSlug }, 'Created the first team and its owner.');
  }
}
