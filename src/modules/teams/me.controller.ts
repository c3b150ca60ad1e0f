import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ProblemError } from '../../platform/errors';
import { CurrentPrincipal, RequireScope } from './access.decorators';
import { HonoursRunLimits } from './run-limits.guard';
import { type Principal } from './principal';
import { MeDto } from './schemas';
import { TeamsRepository } from './teams.repository';

@ApiTags('Sign-in')
@Controller('v1/me')
export class MeController {
  constructor(private readonly teams: TeamsRepository) {}

  @Get()
  @RequireScope()
  @HonoursRunLimits('no-runs')
  @ApiOperation({ summary: 'Who the credential stands for, and what it may do' })
  @ZodResponse({ status: 200, type: MeDto })
  async getMe(@CurrentPrincipal() { kind, id, teamId, role, scopes }: Principal) {
    const [team, account, memberships] = await Promise.all([
      this.teams.findTeam(teamId),
      kind === 'user' ? this.teams.findAccount(id) : null,
      kind === 'user' ? this.teams.listMemberships(id) : [],
    ]);
    if (!team) throw new ProblemError('not-found', 'The team of this credential does not exist any more.');
    return {
      kind,
      id,
      email: account?.email ?? null,
      name: account?.name ?? null,
      team,
      role: role ?? null,
      scopes: [...scopes],
      teams:
        kind === 'user' ? memberships.map(({ teamId, slug, name }) => ({ id: teamId, slug, name })) : [team],
    };
  }
}
