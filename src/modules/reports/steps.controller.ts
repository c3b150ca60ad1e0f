import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { createZodDto, ZodResponse } from 'nestjs-zod';
import { z } from 'zod';
import { idleSchema } from '../../analysis';
import { ProblemError } from '../../platform/errors';
import { ApiProblems, ContentTag, cursorParameter, decodeCursor, encodeCursor } from '../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../teams';
import { generationParameter, rankParameter, ReportParamDto } from './schemas';
import { StepsRepository } from './steps.repository';

const largestRank = 2 ** 31 - 1;
const ns = z.int().min(0);
const place = z.strictObject({
  generation: z.int().min(1).max(largestRank),
  rank: z.int().min(0).max(largestRank),
  index: z.int().min(-largestRank).max(largestRank),
});

class StepsQueryDto extends createZodDto(
  z.strictObject({
    limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
    cursor: cursorParameter.optional(),
    rank: rankParameter.optional().describe('Only steps of this rank.'),
    generation: generationParameter.optional(),
  }),
) {}

class StepPageDto extends createZodDto(
  z.object({
    generation: z
      .int()
      .describe('The analysis that the steps are of; pages stay with it while the run is analysed again.'),
    items: z.array(
      z
        .object({
          rank: z.int(),
          index: z.int().describe('Number of the step as the trace names it, else counted from 0.'),
          wallNs: ns,
          computeNs: ns,
          exposedCommunicationNs: ns,
          exposedMemcpyNs: ns,
          idleNs: ns.describe('The four parts before this one and it sum to wallNs.'),
          idle: idleSchema.describe('Causes; they sum to idleNs.'),
        })
        .meta({ id: 'Step' }),
    ),
    nextCursor: z.string().nullable(),
  }),
) {}

@ApiTags('Runs')
@Controller('v1/runs')
export class StepsController {
  constructor(private readonly steps: StepsRepository) {}

  @Get(':id/steps')
  @RequireScope('runs:read')
  @HonoursRunLimits('run-id')
  @ContentTag()
  @ApiOperation({
    summary: 'Every step of every rank of a run, page by page',
    description:
      'Needs scope runs:read. By rank, then by index. For runs with more steps than the report shows.',
  })
  @ZodResponse({ status: 200, description: 'One page of steps.', type: StepPageDto })
  @ApiProblems('cursor-invalid', 'run-not-found', 'report-not-found')
  async listSteps(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: ReportParamDto,
    @Query() { limit, cursor, rank, generation }: StepsQueryDto,
  ) {
    const question = [id, rank, generation];
    const after = cursor === undefined ? undefined : decodeCursor(cursor, question, place);
    const request = { generation: generation ?? after?.generation, rank, after, limit: limit + 1 };
    const page = await this.steps.list(teamId, id, request);
    if ('found' in page) throw whyNot(page.found, request.generation);
    const items = page.steps.slice(0, limit);
    const last = items.at(-1);
    const isMore = page.steps.length > limit && last !== undefined;
    const next = isMore ? { generation: page.generation, rank: last.rank, index: last.index } : null;
    return { generation: page.generation, items, nextCursor: next && encodeCursor(next, question) };
  }
}

function whyNot(missing: 'no-run' | 'no-report', generation: number | undefined): ProblemError {
  if (missing === 'no-run') return new ProblemError('run-not-found', 'Your team has no run with this id.');
  const which = generation === undefined ? 'yet' : `of generation ${generation}`;
  return new ProblemError('report-not-found', `The run has no report ${which}.`);
}
