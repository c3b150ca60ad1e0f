export { type AuthenticatedRequest, CurrentCall, CurrentPrincipal, RequireScope } from './access.decorators';
export { AccessGuard } from './access.guard';
export { CurrentActor } from './current-actor';
export { HonoursRunLimits } from './run-limits.guard';
export {
  isRole,
  isScope,
  isWithinLimits,
  type Principal,
  type Role,
  roles,
  type RunLimits,
  type Scope,
  scopes,
} from './principal';
export { createPasswordResetService } from './password-reset/password-reset.service';
export { ExpireSessions } from './sessions/expire-sessions';
export { SignInChoresModule } from './sessions/sign-in-chores.module';
export { TeamsModule } from './teams.module';
export {
  type BootstrapRequest,
  type BootstrapResult,
  type NewTeamRequest,
  createTeamsService,
  TeamsService,
} from './teams.service';
export { Public } from '../../platform/http';
