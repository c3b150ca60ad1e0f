import { Controller, Get, Logger, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ZodResponse } from 'nestjs-zod';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { ProblemError } from '../../../platform/errors';
import { ApiProblems, ContentTag, decodeCursor, encodeCursor, isPrintableLine } from '../../../platform/http';
import { attachmentDisposition } from '../../../platform/object-store';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../../teams';
import { toArtifact } from '../run-answer';
import { RunArtifactIdDto, RunArtifactPageDto, RunArtifactsQueryDto, RunIdParamDto } from '../schemas';
import { ArtifactDownloads } from './artifact-downloads';
import { RunArtifactsRepository } from './run-artifacts.repository';

const OCTETS = 'application/octet-stream';
const artifactPlace = z.string().refine(isPrintableLine);

@ApiTags('Runs')
@Controller('v1/runs')
export class RunArtifactsController {
  private readonly log = new Logger(RunArtifactsController.name);

  constructor(
    private readonly artifacts: RunArtifactsRepository,
    private readonly downloads: ArtifactDownloads,
  ) {}

  @Get(':id/artifacts')
  @RequireScope('runs:read')
  @HonoursRunLimits('run-id')
  @ContentTag()
  @ApiOperation({ summary: 'The files of a run, by name' })
  @ZodResponse({ status: 200, description: 'One page of artifacts.', type: RunArtifactPageDto })
  @ApiProblems('cursor-invalid', 'run-not-found')
  async listRunArtifacts(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id }: RunIdParamDto,
    @Query() { limit, cursor }: RunArtifactsQueryDto,
  ) {
    const after = cursor === undefined ? '' : decodeCursor(cursor, id, artifactPlace);
    const found = await this.artifacts.list(teamId, id, after, limit + 1);
    if (!found) throw new ProblemError('run-not-found', 'Your team has no run with this id.');
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(toArtifact),
      nextCursor: last && found.length > limit ? encodeCursor(last.name, id) : null,
    };
  }

  @Get(':id/artifacts/:artifactId/content')
  @RequireScope('runs:read')
  @HonoursRunLimits('run-id')
  @ApiOperation({
    summary: 'The bytes of a file of a run, as they were uploaded',
    description:
      'Needs scope runs:read. What was uploaded compressed comes compressed. The answer is a file to be saved, whatever is ' +
      'in it; one that ends before Content-Length is not whole.',
  })
  @ApiOkResponse({
    description: 'The bytes.',
    headers: {
      'Content-Length': { schema: { type: 'integer' }, description: 'sizeBytes of the artifact.' },
      'Content-Disposition': { schema: { type: 'string' }, description: 'A name to save the file under.' },
    },
    content: { [OCTETS]: { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiProblems('artifact-not-found', 'artifact-not-uploaded', 'artifact-gone', 'too-many-downloads')
  async downloadArtifact(
    @CurrentPrincipal() { teamId }: Principal,
    @Param() { id, artifactId }: RunArtifactIdDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const artifact = await this.downloads.find(teamId, id, artifactId);
    const release = this.downloads.admit(teamId);
    try {
      const bytes = request.method === 'HEAD' ? null : await this.downloads.open(artifact);
      response.setHeader('Content-Type', OCTETS);
      response.setHeader('Content-Length', String(artifact.sizeBytes));
      response.setHeader('Content-Disposition', attachmentDisposition(artifact.name));
      if (bytes) await this.send(bytes, response);
      else response.end();
    } finally {
      release();
    }
  }

  /** As fast as the client takes it. */
  private async send(bytes: NodeJS.ReadableStream, response: Response): Promise<void> {
    try {
      await pipeline(bytes, response);
    } catch (error) {
      // The connection was cut, which a client takes for what it is: fewer bytes than were announced.
      this.log.warn({ err: error }, 'a download did not come to its end');
    }
  }
}
