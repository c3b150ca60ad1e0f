import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { ProblemError } from '../../platform/errors';
import { ApiProblems } from '../../platform/http';
import { runLinks } from '../ingestion';
import { CurrentPrincipal, RequireScope, type Principal } from '../teams';
import { RunsRepository, type StoredRunSummary } from './runs.repository';
import { ARTIFACTS_PER_ANSWER, RunDto, RunIdParamDto, RunListQueryDto, RunPageDto } from './schemas';

@ApiTags('Runs')
@Controller('v1/runs')
export class RunsController {
  constructor(private readonly runs: RunsRepository) {}

  @Get()
  @RequireScope('runs:read')
  @ApiOperation({ summary: 'List the runs of the team, the newest first' })
  @ZodResponse({ status: 200, description: 'One page of runs.', type: RunPageDto })
  async listRuns(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() { limit, cursor, ...filter }: RunListQueryDto,
  ) {
    // One more than asked for tells whether there is a next page.
    const found = await this.runs.list(teamId, filter, limit + 1, cursor);
    const items = found.slice(0, limit);
    return {
      items: items.map(describe),
      nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null,
    };
  }

  @Get(':id')
  @RequireScope('runs:read')
  @ApiOperation({ summary: 'A run: its state, its files, and its verdict in short' })
  @ZodResponse({ status: 200, description: 'The run.', type: RunDto })
  @ApiProblems('run-not-found')
  async getRun(@CurrentPrincipal() { teamId }: Principal, @Param() { id }: RunIdParamDto) {
    const run = await this.runs.find(teamId, id, ARTIFACTS_PER_ANSWER);
    if (!run) throw new ProblemError('run-not-found', 'Your team has no run with this id.');
    const { metadata, artifactCount, artifacts } = run;
    return {
      ...describe(run),
      metadata: metadata as Record<string, unknown>,
      artifactCount,
      artifacts: artifacts.map((artifact) => ({
        ...artifact,
        state: artifact.state as 'uploaded',
        createdAt: artifact.createdAt.toISOString(),
      })),
    };
  }
}

function describe(run: StoredRunSummary) {
  const { id, model, cluster, workload, branch, commit, worldSize, tags, state, generation, verdict } = run;
  const { failureCode, failureReason } = run;
  return {
    id,
    model,
    cluster,
    workload,
    branch,
    commit,
    worldSize,
    tags,
    state,
    stateChangedAt: run.stateChangedAt.toISOString(),
    generation,
    failure: failureCode === null ? null : { code: failureCode, reason: failureReason ?? '' },
    verdict,
    createdAt: run.createdAt.toISOString(),
    links: runLinks(id),
  };
}
