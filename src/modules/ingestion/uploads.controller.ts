import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { ZodResponse } from 'nestjs-zod';
import { ApiProblems } from '../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../teams';
import { ArtifactUploadsService } from './artifact-uploads.service';
import { CompleteRunService } from './complete-run.service';
import { idempotentRequest } from './idempotency';
import { toReceipt } from './run-receipt';
import { RunsIntakeRepository } from './runs-intake.repository';
import { refuseOutsideLimits } from './token-limits';
import {
  ArtifactIdDto,
  ArtifactUploadDto,
  CompletionDto,
  CompletionRequestDto,
  NewArtifactDto,
  NewRunDto,
  PartsQueryDto,
  RunIdDto,
  RunReceiptDto,
} from './upload-schemas';

export const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'At most 255 characters. A request with the same key and content gets the answer of the first one for 24 hours.',
};
/** Set on answers that were given before. */
export const REPLAY_HEADER = 'Idempotency-Replayed';

@ApiTags('Upload')
@Controller('v1/runs')
export class UploadsController {
  constructor(
    private readonly runs: RunsIntakeRepository,
    private readonly uploads: ArtifactUploadsService,
    private readonly completion: CompleteRunService,
  ) {}

  @Post()
  @RequireScope('runs:write')
  @HonoursRunLimits('handled')
  @ApiOperation({ summary: 'Create a run, to upload its files to' })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ZodResponse({ status: 201, description: 'The run, awaiting its upload.', type: RunReceiptDto })
  @ApiProblems(
    'outside-token-limits',
    'idempotency-key-invalid',
    'idempotency-key-in-progress',
    'idempotency-key-reused',
    'quota-runs-exceeded',
    'backlog-full',
  )
  async createRun(
    @CurrentPrincipal() principal: Principal,
    @Body() body: NewRunDto,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    refuseOutsideLimits(principal, body);
    const { body: run, replayed } = await this.runs.create(
      principal.teamId,
      body,
      idempotentRequest('POST /v1/runs', key, body),
    );
    if (replayed) response.setHeader(REPLAY_HEADER, 'true');
    response.setHeader('Location', `/v1/runs/${run.id}`);
    return toReceipt(run);
  }

  @Post(':id/artifacts')
  @RequireScope('runs:write')
  @HonoursRunLimits('run-id')
  @ApiOperation({
    summary: 'Register a file of the run, and get URLs to upload its parts to',
    description:
      'Needs scope runs:write. Registering the same file again gives the same artifact, so an upload can be taken up again; in the ' +
      'place of one that was rejected a new one is registered. ' +
      'Content that the team has already is not uploaded again: state is uploaded, and there are no parts.',
  })
  @ZodResponse({
    status: 201,
    description: 'The artifact, and where its first parts go.',
    type: ArtifactUploadDto,
  })
  @ApiProblems(
    'run-not-found',
    'run-not-awaiting-upload',
    'upload-closed',
    'artifact-conflict',
    'too-many-artifacts',
    'artifact-too-large',
    'run-too-large',
    'quota-bytes-exceeded',
  )
  async registerArtifact(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: RunIdDto,
    @Body() body: NewArtifactDto,
  ) {
    return this.uploads.register(teamId, id, body);
  }

  @Get(':id/artifacts/:artifactId/parts')
  @RequireScope('runs:write')
  @HonoursRunLimits('run-id')
  @ApiOperation({
    summary: 'Fresh URLs for the parts of an artifact, and which of them are uploaded',
  })
  @ZodResponse({ status: 200, description: 'The artifact, and where its parts go.', type: ArtifactUploadDto })
  @ApiProblems('artifact-not-found')
  async listParts(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id, artifactId }: ArtifactIdDto,
    @Query() { from }: PartsQueryDto,
  ) {
    return this.uploads.listParts(teamId, id, artifactId, from);
  }

  @Post(':id/complete')
  @HttpCode(200)
  @RequireScope('runs:write')
  @HonoursRunLimits('run-id')
  @ApiOperation({
    summary: 'End the upload of a run, or of some of its artifacts, and have them analysed',
    description:
      'Needs scope runs:write. May be repeated: a run to which nothing new came is given as it is. The first time, every ' +
      'registered artifact must be uploaded as a whole, or every one that the body names. A run takes further artifacts, ' +
      'of late ranks for example, for LATE_ARTIFACTS_S after its creation: register, upload and complete them likewise, in ' +
      'any order and side by side. A waiting analysis takes them in; one that is going on, or over, is followed by the ' +
      'next generation.',
  })
  @ApiBody({ type: CompletionRequestDto, required: false })
  @ZodResponse({ status: 200, description: 'The run as it is now.', type: CompletionDto })
  @ApiProblems(
    'run-not-found',
    'artifact-not-found',
    'no-artifacts',
    'upload-incomplete',
    'size-mismatch',
    'artifact-rejected',
    'run-not-awaiting-upload',
    'upload-closed',
  )
  async completeRun(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: RunIdDto,
    @Body() { artifacts }: CompletionRequestDto,
  ) {
    const { run, awaitingArtifacts, newArtifacts } = await this.completion.complete(teamId, id, artifacts);
    return { ...toReceipt(run), awaitingArtifacts, newArtifacts };
  }
}
