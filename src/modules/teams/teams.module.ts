import { Logger, Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { ThrottlerModule } from '@nestjs/throttler';
import { type ApiConfig, CONFIG_TOKEN, InjectConfig } from '../../platform/config';
import { AccessGuard } from './access.guard';
import { ApiTokensRepository } from './tokens/api-tokens.repository';
import { ApiTokensService } from './tokens/api-tokens.service';
import { AuthController } from './auth.controller';
import { loginLimits } from './login-rate';
import { LoginService } from './login.service';
import { MeController } from './me.controller';
import { Passwords } from './passwords';
import { RunLimitsGuard } from './run-limits.guard';
import { RunLimitsRepository } from './run-limits.repository';
import { sessionAlgorithm, sessionAudience, sessionIssuer } from './session-claims';
import { SessionGuard } from './session.guard';
import { SessionStrategy } from './session.strategy';
import { TeamsRepository } from './teams.repository';
import { TeamsService } from './teams.service';
import { TokensController } from './tokens/tokens.controller';
import { refuseUndeclaredRoutes } from './undeclared-routes';

const sessions = JwtModule.registerAsync({
  inject: [CONFIG_TOKEN],
  useFactory: ({ auth }: ApiConfig) => ({
    secret: auth.jwtSecret,
    signOptions: {
      algorithm: sessionAlgorithm,
      issuer: sessionIssuer,
      audience: sessionAudience,
      expiresIn: auth.jwtTtlS,
    },
  }),
});

/** Accounts, teams, tokens and sign-in; guards every route of the application that imports it. */
@Module({
  imports: [DiscoveryModule, ThrottlerModule.forRoot(loginLimits), sessions],
  controllers: [AuthController, MeController, TokensController],
  providers: [
    ApiTokensRepository,
    ApiTokensService,
    LoginService,
    Passwords,
    RunLimitsGuard,
    RunLimitsRepository,
    SessionGuard,
    SessionStrategy,
    TeamsRepository,
    TeamsService,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [TeamsService],
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
