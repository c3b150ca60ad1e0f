import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { type ApiConfig, InjectConfig } from '../../../platform/config';
import { ProblemError } from '../../../platform/errors';
import { ApiProblems } from '../../../platform/http';
import { CurrentPrincipal, RequireScope } from '../access.decorators';
import { CurrentActor } from '../current-actor';
import { type Principal } from '../principal';
import { TeamsRepository } from '../teams.repository';
import { CreatedTeamDto, NewTeamDto } from './schemas';

@ApiTags('Team')
@Controller('v1/teams')
export class TeamCreationController {
  constructor(
    @InjectConfig() private readonly config: ApiConfig,
    private readonly teams: TeamsRepository,
  ) {}

  @Post()
  @RequireScope()
  @ApiOperation({
    summary: 'Create another team, and become its owner',
    description:
      'For people only, and only where the operator set ALLOW_TEAM_CREATION=true. Sign in to the new team then.',
  })
  @ZodResponse({ status: 201, type: CreatedTeamDto })
  @ApiProblems('person-required', 'team-creation-disabled', 'team-slug-taken')
  async createTeam(
    @CurrentPrincipal() { kind, id: ownerId }: Principal,
    @CurrentActor() actor: Actor,
    @Body() { slug, name = slug }: NewTeamDto,
  ) {
    if (kind !== 'user') throw new ProblemError('person-required', 'A team needs a person as its owner.');
    if (!this.config.teams.allowCreation) {
      throw new ProblemError(
        'team-creation-disabled',
        'This installation lets nobody create teams by the API.',
      );
    }
    const { teamId: id } = await this.teams.createTeam(actor, { slug, name, owner: { id: ownerId } });
    return { id, slug, name };
  }
}
