import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ProblemError } from '../../platform/errors';
import { ApiProblems, ContentTag } from '../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../teams';
import { toDetail, toSummary } from './run-answer';
import { RunListQueryDto } from './run-list-query';
import { cursorAfter, placeOf } from './run-page';
import { RunPageRepository } from './run-page.repository';
import { RunsRepository } from './runs.repository';
import {
  ANALYSES_PER_ANSWER,
  REGRESSIONS_PER_ANSWER,
  ARTIFACTS_PER_ANSWER,
  RunDto,
  RunIdParamDto,
  RunPageDto,
} from './schemas';

const detailBounds = {
  ...{ maxArtifacts: ARTIFACTS_PER_ANSWER, maxAnalyses: ANALYSES_PER_ANSWER },
  maxRegressions: REGRESSIONS_PER_ANSWER,
};

@ApiTags('Runs')
@Controller('v1/runs')
export class RunsController {
  constructor(
    private readonly runs: RunsRepository,
    private readonly pages: RunPageRepository,
  ) {}

  @Get()
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ContentTag()
  @ApiOperation({
    summary: 'List the runs of the team, the newest first',
    description:
      'Needs scope runs:read. Filters must all hold. A credential that is limited to models or clusters sees the runs ' +
      'within its limits.',
  })
  @ZodResponse({ status: 200, description: 'One page of runs.', type: RunPageDto })
  @ApiProblems('validation-failed', 'cursor-invalid')
  async listRuns(@CurrentPrincipal() { teamId, runLimits }: Principal, @Query() query: RunListQueryDto) {
    const { runs, more } = await this.pages.list(teamId, { ...query, after: placeOf(query) }, runLimits);
    return { items: runs.map(toSummary), nextCursor: more && cursorAfter(more, query) };
  }

  @Get(':id')
  @RequireScope('runs:read')
  @HonoursRunLimits('run-id')
  @ContentTag()
  @ApiOperation({
    summary: 'A run: what was said about it, its state, its files, and its verdict in short',
    description:
      'Needs scope runs:read. While the run is analysed again, the verdict is that of the report before.',
  })
  @ZodResponse({ status: 200, description: 'The run.', type: RunDto })
  @ApiProblems('run-not-found')
  async getRun(@CurrentPrincipal() { teamId }: Principal, @Param() { id }: RunIdParamDto) {
    const run = await this.runs.find(teamId, id, detailBounds);
    if (!run) throw runNotFound();
    return toDetail(run);
  }
}

function runNotFound(): ProblemError {
  return new ProblemError('run-not-found', 'Your team has no run with this id.');
}
