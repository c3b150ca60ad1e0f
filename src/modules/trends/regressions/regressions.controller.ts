import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { z } from 'zod';
import { ApiProblems, ContentTag, decodeCursor, encodeCursor } from '../../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, type Principal, RequireScope } from '../../teams';
import { regressionNotFound } from './locked-regression.repository';
import { toDetail, toSummary } from './regression-answer';
import { RegressionsRepository } from './regressions.repository';
import {
  RegressionDto,
  type RegressionFilter,
  RegressionIdDto,
  RegressionListDto,
  RegressionPageDto,
} from './schemas';

@ApiTags('Regressions')
@Controller('v1/regressions')
export class RegressionsController {
  constructor(private readonly regressions: RegressionsRepository) {}

  @Get()
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ContentTag()
  @ApiOperation({
    summary: 'List regressions, the newest first; those that are not resolved unless asked for others',
    description:
      'Needs scope runs:read. Filters must all hold: with state=any they give the history of a model, a cluster or a branch. ' +
      'A credential that is limited to models or clusters sees the regressions within its limits.',
  })
  @ZodResponse({ status: 200, description: 'One page of regressions.', type: RegressionPageDto })
  @ApiProblems('validation-failed', 'cursor-invalid')
  async listRegressions(
    @CurrentPrincipal() { teamId, runLimits }: Principal,
    @Query() { limit, cursor, ...filter }: RegressionListDto,
  ) {
    const question = inOrder(filter);
    const after = cursor === undefined ? undefined : decodeCursor(cursor, question, z.uuid());
    const found = await this.regressions.list(teamId, filter, { limit: limit + 1, after }, runLimits);
    const items = found.slice(0, limit);
    const nextCursor = found.length > limit ? encodeCursor(items[limit - 1].id, question) : null;
    return { items: items.map(toSummary), nextCursor };
  }

  @Get(':id')
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ContentTag()
  @ApiOperation({
    summary: 'A regression: what moved, since when, where the time went, and what was done with it',
    description: 'Needs scope runs:read.',
  })
  @ZodResponse({ status: 200, description: 'The regression.', type: RegressionDto })
  @ApiProblems('regression-not-found')
  async getRegression(
    @CurrentPrincipal() { teamId, runLimits }: Principal,
    @Param() { id }: RegressionIdDto,
  ) {
    const found = await this.regressions.find(teamId, id, runLimits);
    if (!found) throw regressionNotFound();
    return toDetail(found);
  }
}

/** The filters by name: the order in which a client gives them asks nothing. */
function inOrder(filter: RegressionFilter): unknown {
  return Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
}
