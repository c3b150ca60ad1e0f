import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ApiProblems } from '../../../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../../../teams';
import { CompareRequestDto, ComparisonDto } from './compare-schemas';
import { CompareService } from './compare.service';

@ApiTags('Trends')
@Controller('v1/compare')
export class CompareController {
  constructor(private readonly comparisons: CompareService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ApiOperation({
    summary: 'Compare two runs, or two groups of runs',
    description:
      'Needs scope runs:read. Medians by metric and whether their difference is more than noise, whether the runs may be ' +
      'compared at all, what was configured differently, and where the difference of the step time went. Nothing is stored.',
  })
  @ZodResponse({ status: 200, description: 'The comparison.', type: ComparisonDto })
  @ApiProblems('validation-failed', 'run-not-found', 'comparison-empty')
  async compareRuns(
    @CurrentPrincipal() { teamId, runLimits }: Principal,
    @Body() request: CompareRequestDto,
  ) {
    return this.comparisons.compare(teamId, request, runLimits);
  }
}
