import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ApiProblems } from '../../../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../../../teams';
import { toFleet } from './fleet-answer';
import { FleetDto, FleetQueryDto } from './fleet-schemas';
import { FleetRepository } from './fleet.repository';

@ApiTags('Trends')
@Controller('v1/fleet')
export class FleetController {
  constructor(private readonly fleet: FleetRepository) {}

  @Get()
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ApiOperation({
    summary: 'Where the GPU-hours of the team go, over models and clusters',
    description:
      'Needs scope runs:read. Over the finished runs of the time that are still kept: how long GPUs compute, what they wait ' +
      'for, and what fixing it would return. GPU-hours are known of runs that say durationS and worldSize; shares of all ' +
      'runs with steps.',
  })
  @ZodResponse({ status: 200, description: 'Sums over all and by group.', type: FleetDto })
  @ApiProblems('validation-failed')
  async getFleet(@CurrentPrincipal() { teamId, runLimits }: Principal, @Query() query: FleetQueryDto) {
    return toFleet(query, await this.fleet.sum(teamId, query, runLimits));
  }
}
