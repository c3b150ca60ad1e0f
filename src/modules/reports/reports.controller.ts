import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ProblemError } from '../../platform/errors';
import { ApiProblems, namesTag } from '../../platform/http';
import { presentReport, renderMarkdown } from '../../presentation';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../teams';
import { boundSteps } from './bound-steps';
import { selectFields, unneededFor } from './report-fields';
import { ReportsRepository, type RunWithReport } from './reports.repository';
import { ReportDto, ReportParamDto, ReportQueryDto } from './schemas';

const MARKDOWN = 'text/markdown';
/** An analysis takes seconds; a queue before it may take longer. */
const RETRY_AFTER_S = 2;

@ApiTags('Runs')
@ApiExtraModels(ReportDto.Output)
@Controller('v1/runs')
export class ReportsController {
  constructor(private readonly reports: ReportsRepository) {}

  @Get(':id/report')
  @RequireScope('runs:read')
  @HonoursRunLimits('run-id')
  @ApiOperation({
    summary: 'The report of a run',
    description: `Needs scope runs:read. JSON, or Markdown for Accept: ${MARKDOWN}. Without a generation the newest finished report, also while a newer one is made: see runState.`,
  })
  @ApiOkResponse({
    description: 'The report.',
    headers: {
      ETag: { schema: { type: 'string' }, description: 'Names this answer; send it as If-None-Match.' },
    },
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ReportDto.Output) } },
      [MARKDOWN]: { schema: { type: 'string' } },
    },
  })
  @ApiProblems('run-not-found', 'report-not-found', 'report-not-ready', 'run-failed')
  async getReport(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: ReportParamDto,
    @Query() { generation, fields, rank, maxSteps }: ReportQueryDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.reports.find(teamId, id, generation);
    if (!found) throw runNotFound();
    if (!found.report) throw whyThereIsNoReport(found, generation);

    const { analysisId, createdAt } = found.report;
    const asMarkdown = request.accepts(['application/json', MARKDOWN]) === MARKDOWN;
    response.vary('Accept');
    if (asMarkdown && fields) throw new ProblemError('validation-failed', 'fields: is for JSON only.');
    // A report never changes; what the answer says of its run does.
    const variant = asMarkdown ? 'md' : [found.state, rank ?? '', maxSteps, ...(fields ?? [])].join('+');
    const etag = `"${analysisId}-${variant}"`;
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (namesTag(request.header('if-none-match'), etag)) {
      response.status(304).end();
      return;
    }
    const stored = await this.reports.read(teamId, analysisId, unneededFor(fields));
    if (!stored) throw runNotFound();
    const whole = presentReport(stored);
    if (asMarkdown) {
      response.type(`${MARKDOWN}; charset=utf-8`).send(renderMarkdown(whole));
      return;
    }
    const ranks = rank === undefined ? whole.ranks : whole.ranks.filter((one) => one.rank === rank);
    const { report, stepsOmitted } = boundSteps({ ...whole, ranks }, maxSteps);
    response.json({
      ...selectFields(report, fields),
      runId: id,
      generation: found.report.generation,
      analyzedAt: createdAt.toISOString(),
      runState: found.state,
      stepsOmitted,
    });
  }
}

const runNotFound = () => new ProblemError('run-not-found', 'Your team has no run with this id.');

function whyThereIsNoReport(run: RunWithReport, generation: number | undefined): ProblemError {
  if (generation !== undefined && generation !== run.generation) {
    return new ProblemError('report-not-found', `The run has no report of generation ${generation}.`);
  }
  switch (run.state) {
    case 'failed':
      return new ProblemError('run-failed', `${run.failureCode ?? ''}: ${run.failureReason ?? ''}`);
    case 'awaitingUpload':
      return new ProblemError('report-not-ready', 'The run is awaitingUpload: its files are not complete.', {
        action: 'Upload its files and end the upload with POST /v1/runs/{id}/complete.',
      });
    case 'queued':
    case 'analyzing':
    case 'done':
      return new ProblemError('report-not-ready', `The run is ${run.state}.`, { retryAfterS: RETRY_AFTER_S });
  }
}
