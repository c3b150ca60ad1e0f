import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { type ApiConfig, CONFIG_TOKEN } from '../../../platform/config';
import { Passwords } from '../passwords';
import { TeamsRepository } from '../teams.repository';
import { AttemptLimits } from './attempt-limits';
import { AttemptsGuard } from './attempts.guard';
import { AuthController } from './auth.controller';
import { LoginService } from './login.service';
import { sessionAlgorithm, sessionAudience, sessionIssuer } from './session-claims';
import { SessionGuard } from './session.guard';
import { SessionStrategy } from './session.strategy';
import { SessionsController } from './sessions.controller';
import { SessionsRepository } from './sessions.repository';
import { SessionsService } from './sessions.service';
import { SignInAuditRepository } from './sign-in-audit.repository';
import { SignInJournal } from './sign-in-journal';

const accessTokens = JwtModule.registerAsync({
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

/** How people sign in and stay signed in. */
@Module({
  imports: [accessTokens],
  controllers: [AuthController, SessionsController],
  providers: [
    AttemptLimits,
    AttemptsGuard,
    LoginService,
    Passwords,
    SessionGuard,
    SessionStrategy,
    SessionsRepository,
    SessionsService,
    SignInAuditRepository,
    SignInJournal,
    TeamsRepository,
  ],
  // Passwords: one turnstile for all of the process.
  exports: [
    AttemptLimits,
    AttemptsGuard,
    Passwords,
    SessionGuard,
    SessionsService,
    SignInJournal,
    TeamsRepository,
  ],
})
export class SignInModule {}
