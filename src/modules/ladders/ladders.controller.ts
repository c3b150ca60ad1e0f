import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { buildLadder } from '../../analysis';
import { ApiProblems } from '../../platform/http';
import { presentLadder } from '../../presentation';
import { CurrentPrincipal, HonoursRunLimits, type Principal, RequireScope } from '../teams';
import { LadderRungsRepository, type RungRun } from './ladder-rungs.repository';
import { LaddersRepository, type StoredLadder } from './ladders.repository';
import {
  LadderChangeDto,
  LadderDto,
  LadderIdDto,
  LadderListQueryDto,
  LadderPageDto,
  LadderTableDto,
  NewLadderDto,
  NewRungsDto,
} from './schemas';

@ApiTags('Ladders')
@Controller('v1/ladders')
export class LaddersController {
  constructor(
    private readonly ladders: LaddersRepository,
    private readonly rungs: LadderRungsRepository,
  ) {}

  @Post()
  @RequireScope('runs:write')
  @ApiOperation({
    summary: 'Create a ladder: a named sequence of runs, each changing one thing',
    description: 'Needs scope runs:write. Its rungs are set with PUT /v1/ladders/{id}/rungs.',
  })
  @ZodResponse({ status: 201, description: 'The ladder, without rungs.', type: LadderDto })
  @ApiProblems('ladder-name-taken', 'ladder-limit-reached')
  async createLadder(@CurrentPrincipal() { teamId }: Principal, @Body() body: NewLadderDto) {
    return describe(await this.ladders.create(teamId, body));
  }

  @Get()
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ApiOperation({
    summary: 'List the ladders of the team, the newest first',
    description:
      'Needs scope runs:read. A credential that is limited to models or clusters sees ladders whose runs are all within its limits.',
  })
  @ZodResponse({ status: 200, description: 'One page of ladders.', type: LadderPageDto })
  async listLadders(
    @CurrentPrincipal() { teamId, runLimits }: Principal,
    @Query() { limit, cursor }: LadderListQueryDto,
  ) {
    const found = await this.ladders.list(teamId, limit + 1, cursor, runLimits);
    const items = found.slice(0, limit);
    return { items: items.map(describe), nextCursor: found.length > limit ? items[limit - 1].id : null };
  }

  @Get(':id')
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ApiOperation({
    summary: 'A ladder: what each rung gained, whether to keep it, and what to try next',
    description:
      'Needs scope runs:read. Step times are those without the profiler where they are known; each rung says which it has. ' +
      'A difference of up to 1 % is taken for noise.',
  })
  @ZodResponse({ status: 200, description: 'The ladder and its table.', type: LadderTableDto })
  @ApiProblems('ladder-not-found')
  async getLadder(@CurrentPrincipal() { teamId, runLimits }: Principal, @Param() { id }: LadderIdDto) {
    const ladder = await this.ladders.get(teamId, id, runLimits);
    const stored = await this.rungs.list(teamId, id);
    const { rungs, speedup, next } = presentLadder(buildLadder(stored));
    const withRuns = rungs.map((rung, i) => ({ ...rung, run: describeRun(stored[i].run) }));
    return { ...describe(ladder), rungs: withRuns, speedup, next };
  }

  @Patch(':id')
  @RequireScope('runs:write')
  @ApiOperation({ summary: 'Rename or describe a ladder' })
  @ZodResponse({ status: 200, description: 'The ladder as it is now.', type: LadderDto })
  @ApiProblems('ladder-not-found', 'ladder-name-taken')
  async updateLadder(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: LadderIdDto,
    @Body() body: LadderChangeDto,
  ) {
    return describe(await this.ladders.update(teamId, id, body));
  }

  @Put(':id/rungs')
  @RequireScope('runs:write')
  @ApiOperation({
    summary: 'Set the rungs of a ladder, the baseline first',
    description: 'Needs scope runs:write. A rung whose run is deleted later stays in the ladder and says so.',
  })
  @ZodResponse({ status: 200, description: 'The ladder as it is now.', type: LadderDto })
  @ApiProblems('ladder-not-found', 'run-not-found')
  async setLadderRungs(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: LadderIdDto,
    @Body() { rungs }: NewRungsDto,
  ) {
    await this.rungs.replace(teamId, id, rungs);
    return describe(await this.ladders.get(teamId, id, undefined));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('runs:write')
  @ApiOperation({ summary: 'Delete a ladder; its runs stay' })
  @ApiNoContentResponse({ description: 'The ladder is gone.' })
  @ApiProblems('ladder-not-found')
  async deleteLadder(@CurrentPrincipal() { teamId }: Principal, @Param() { id }: LadderIdDto): Promise<void> {
    await this.ladders.delete(teamId, id);
  }
}

function describe({ createdAt, ...ladder }: StoredLadder) {
  return { ...ladder, createdAt: createdAt.toISOString() };
}

function describeRun(run: RungRun | null) {
  return run && { ...run, startedAt: run.startedAt?.toISOString() ?? null };
}
