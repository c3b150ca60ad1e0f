import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ProblemError } from '../../platform/errors';
import { CurrentPrincipal, RequireScope, type Principal } from '../teams';
import { UsageDto, UsageQueryDto } from './schemas';
import { UsageRepository } from './usage.repository';

@ApiTags('Usage')
@Controller('v1/usage')
export class UsageController {
  constructor(private readonly usage: UsageRepository) {}

  @Get()
  @RequireScope('runs:read')
  @ApiOperation({ summary: 'What the team may use, what it uses now, and what it used day by day' })
  @ZodResponse({ status: 200, description: 'Limits and usage.', type: UsageDto })
  async getUsage(@CurrentPrincipal() { teamId }: Principal, @Query() { days }: UsageQueryDto) {
    const usage = await this.usage.find(teamId, days);
    if (!usage) throw new ProblemError('not-found', 'The team of this credential does not exist any more.');
    return {
      limits: usage.limits,
      stored: usage.stored,
      runs: { today: usage.days[0].runs, ...usage.runs },
      days: usage.days.map(({ analysisMs, ...day }) => ({ ...day, analysisS: analysisMs / 1000 })),
    };
  }
}
