export { type AuthenticatedRequest, CurrentPrincipal, RequireScope } from './access.decorators';
export { isScope, type Principal, type Role, type Scope, scopes } from './principal';
export { TeamsModule } from './teams.module';
export {
  type BootstrapRequest,
  type BootstrapResult,
  type NewTeamRequest,
  createTeamsService,
  TeamsService,
} from './teams.service';
export { Public } from '../../platform/http';
