import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { type Actor } from '../../../platform/audit';
import { ApiProblems } from '../../../platform/http';
import { CurrentActor, CurrentPrincipal, HonoursRunLimits, type Principal, RequireScope } from '../../teams';
import { sensitivities, type TrendSetting } from '../sensitivity';
import { type TrendSettings, TrendSettingsChangeDto, TrendSettingsDto } from './trend-settings-schemas';
import { TrendSettingsRepository } from './trend-settings.repository';

/** Stands for all metrics. */
const TEAM = '';

@ApiTags('Regressions')
@Controller('v1/team/trend-settings')
export class TrendSettingsController {
  constructor(private readonly settings: TrendSettingsRepository) {}

  @Get()
  @RequireScope('runs:read')
  @HonoursRunLimits('no-runs')
  @ApiOperation({
    summary: 'How sensitive the detection of regressions is',
    description: 'Needs scope runs:read.',
  })
  @ZodResponse({ status: 200, type: TrendSettingsDto })
  async getTrendSettings(@CurrentPrincipal() { teamId }: Principal) {
    return describe(await this.settings.list(teamId));
  }

  @Put()
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Say how sensitive the detection of regressions is',
    description:
      'Needs scope admin. Replaces all settings: what is left out is as the installation has it. Holds for runs that are ' +
      'analysed from then on. Audited.',
  })
  @ZodResponse({ status: 200, type: TrendSettingsDto })
  @ApiProblems('validation-failed')
  async putTrendSettings(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Body() body: TrendSettingsChangeDto,
  ) {
    const settings = toStored(body);
    await this.settings.replace(teamId, actor, settings);
    return describe(settings);
  }
}

function toStored({ metrics, ...team }: TrendSettings): TrendSetting[] {
  const store = (metricId: string, given: TrendSettings['metrics'][string]): TrendSetting => ({
    metricId,
    minChangeRatio: given.minChangeRatio ?? null,
    minScore: given.minScore ?? null,
    sensitivity: given.sensitivity ?? null,
    alerts: given.alerts ?? null,
  });
  const all = [store(TEAM, team), ...Object.entries(metrics).map(([id, one]) => store(id, one))];
  return all.filter(({ metricId: _, ...said }) => Object.values(said).some((value) => value !== null));
}

function describe(stored: readonly TrendSetting[]): TrendSettingsDto {
  const said = ({ metricId: _, ...setting }: TrendSetting) =>
    Object.fromEntries(Object.entries(setting).filter(([, value]) => value !== null));
  const team = stored.find(({ metricId }) => metricId === TEAM);
  const { alerts: __, ...ofTeam }: TrendSettings['metrics'][string] = team ? said(team) : {};
  const metrics = stored.filter(({ metricId }) => metricId !== TEAM).map((one) => [one.metricId, said(one)]);
  return {
    settings: { ...ofTeam, metrics: Object.fromEntries(metrics) as TrendSettings['metrics'] },
    inForce: sensitivities(stored).map(({ metric, alerts, rules: { minChangeRatio, minScore } }) => ({
      ...{ metricId: metric.id, alerts, minChangeRatio, minScore },
    })),
  };
}
