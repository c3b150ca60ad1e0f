import { Controller, Headers, HttpCode, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { createZodDto, ZodResponse } from 'nestjs-zod';
import { z } from 'zod';
import { type Config, InjectConfig } from '../../platform/config';
import { ProblemError } from '../../platform/errors';
import { ApiProblems } from '../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../teams';
import { declaredSha256 } from './declared-digest';
import { IngestFileService } from './ingest-file.service';
import { ingestQuerySchema, runOfQuery } from './ingest-query';
import { RUN_STATES } from './run-state';
import { runLinks } from './run-receipt';
import { refuseOutsideLimits } from './token-limits';
import { IDEMPOTENCY_HEADER, REPLAY_HEADER } from './uploads.controller';

class IngestQueryDto extends createZodDto(ingestQuerySchema) {}

class IngestedRunDto extends createZodDto(
  z.object({
    runId: z.uuid(),
    state: z.enum(RUN_STATES),
    reportUrl: z
      .string()
      .describe(
        'Where the report will be: a path of this server, or a whole address when PUBLIC_URL is set.',
      ),
  }),
) {}

@ApiTags('Upload')
@Controller('v1/ingest')
export class IngestController {
  constructor(
    private readonly ingestion: IngestFileService,
    @InjectConfig() private readonly config: Config,
  ) {}

  @Put()
  @HttpCode(202)
  @RequireScope('runs:write')
  @HonoursRunLimits('handled')
  @ApiOperation({
    summary: 'Upload one file as a run and have it analysed',
    description:
      'Needs scope runs:write. The body is the file as it is, compressed or not: curl -T trace.json.gz. ' +
      'For several files or very large ones use POST /v1/runs.',
  })
  @ApiConsumes('application/octet-stream')
  @ApiBody({ required: true, schema: { type: 'string', format: 'binary' } })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiHeader({
    name: 'X-Content-SHA256',
    required: false,
    description: 'SHA-256 of the body, hex; it is verified.',
  })
  @ZodResponse({ status: 202, description: 'The run, queued.', type: IngestedRunDto })
  @ApiProblems(
    'outside-token-limits',
    'empty-file',
    'digest-invalid',
    'unknown-format',
    'checksum-mismatch',
    'payload-too-large',
    'quota-runs-exceeded',
    'quota-bytes-exceeded',
    'backlog-full',
    'idempotency-key-invalid',
    'idempotency-key-in-progress',
    'idempotency-key-reused',
  )
  async ingest(
    @CurrentPrincipal() principal: Principal,
    @Query() query: IngestQueryDto,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const run = runOfQuery(query);
    refuseOutsideLimits(principal, run);
    const gone = new AbortController();
    request.once('close', () => {
      if (!request.readableEnded) gone.abort(new Error('the client went away'));
    });
    const length = Number(request.header('content-length'));
    const ingestion = this.ingestion.ingest(principal.teamId, {
      run,
      name: query.name,
      body: request,
      declaredBytes: Number.isSafeInteger(length) ? length : undefined,
      declaredSha256: declaredSha256((header) => request.header(header)),
      idempotencyKey,
      signal: gone.signal,
    });
    const { body: stored, replayed } = await ingestion.catch((error: unknown) => {
      // Nobody reads this answer; it keeps a client that hung up from looking like a failure of ours in the log.
      if (!request.destroyed || request.complete) throw error;
      throw new ProblemError('malformed-request', 'The connection ended before the body did.', {
        cause: error,
      });
    });
    if (replayed) response.setHeader(REPLAY_HEADER, 'true');
    const reportUrl = `${this.config.http.publicUrl?.replace(/\/$/, '') ?? ''}${runLinks(stored.id).report}`;
    return { runId: stored.id, state: stored.state, reportUrl };
  }
}
