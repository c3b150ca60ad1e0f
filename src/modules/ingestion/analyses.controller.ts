import { Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { ZodResponse } from 'nestjs-zod';
import { ApiProblems } from '../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../teams';
import { idempotentRequest } from './idempotency';
import { RunDispatcher } from './run-dispatcher';
import { toReceipt } from './run-receipt';
import { RunsIntakeRepository } from './runs-intake.repository';
import { RunIdDto, RunReceiptDto } from './upload-schemas';
import { IDEMPOTENCY_HEADER, REPLAY_HEADER } from './uploads.controller';

/** Further analyses of runs that have been analysed. */
@ApiTags('Runs')
@Controller('v1/runs/:id/analyses')
export class AnalysesController {
  constructor(
    private readonly runs: RunsIntakeRepository,
    private readonly dispatcher: RunDispatcher,
  ) {}

  @Post()
  @HttpCode(202)
  @RequireScope('runs:write')
  @HonoursRunLimits('run-id')
  @ApiOperation({
    summary: 'Have a run analysed again',
    description:
      'Needs scope runs:write. For a run that is done or failed, after an upgrade for example: the next generation of its ' +
      'analysis is queued, and earlier reports stay.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ZodResponse({ status: 202, description: 'The run, queued for its next generation.', type: RunReceiptDto })
  @ApiProblems(
    'run-not-found',
    'analysis-in-progress',
    'nothing-to-analyze',
    'backlog-full',
    'idempotency-key-invalid',
    'idempotency-key-in-progress',
    'idempotency-key-reused',
  )
  async analyzeAgain(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: RunIdDto,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const request = idempotentRequest('POST /v1/runs/{id}/analyses', key, { id });
    const { body: run, replayed } = await this.runs.reanalyze(teamId, id, request);
    if (replayed) response.setHeader(REPLAY_HEADER, 'true');
    else await this.dispatcher.dispatch(teamId, run);
    return toReceipt(run);
  }
}
