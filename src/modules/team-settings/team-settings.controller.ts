import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../platform/audit';
import { type Config, InjectConfig } from '../../platform/config';
import { limitsInForce } from '../quotas';
import { CurrentActor, CurrentPrincipal, HonoursRunLimits, type Principal, RequireScope } from '../teams';
import { TeamChangeDto, TeamSettingsDto } from './schemas';
import { type StoredTeam, TeamSettingsRepository } from './team-settings.repository';

@ApiTags('Team')
@Controller('v1/team')
export class TeamSettingsController {
  constructor(
    @InjectConfig() private readonly config: Config,
    private readonly settings: TeamSettingsRepository,
  ) {}

  @Get()
  @RequireScope()
  @HonoursRunLimits('no-runs')
  @ApiOperation({ summary: 'The team of the credential: its name, and the limits and retention in force' })
  @ZodResponse({ status: 200, type: TeamSettingsDto })
  async getTeam(@CurrentPrincipal() { teamId }: Principal) {
    return this.describe(await this.settings.get(teamId));
  }

  @Patch()
  @RequireScope('admin')
  @ApiOperation({ summary: 'Change the name of the team, or how long it keeps its runs' })
  @ZodResponse({ status: 200, type: TeamSettingsDto })
  async changeTeam(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Body() change: TeamChangeDto,
  ) {
    return this.describe(await this.settings.change(teamId, actor, change));
  }

  private describe({ id, slug, name, createdAt, ...own }: StoredTeam) {
    const { retentionDays, ...limits } = limitsInForce(own, this.config.quotas);
    return {
      id,
      slug,
      name,
      createdAt: createdAt.toISOString(),
      retention: { days: retentionDays, isDefault: own.retentionDays === null },
      limits,
    };
  }
}
