export { type AuthenticatedRequest, CurrentPrincipal, RequireScope } from './access.decorators';
export { isRole, isScope, type Principal, type Role, roles, type Scope, scopes } from './principal';
export { TeamsModule } from './teams.module';
export {
  type BootstrapRequest,
  type BootstrapResult,
  type NewTeamRequest,
  createTeamsService,
  TeamsService,
} from './teams.service';
export { Public } from '../../platform/http';
