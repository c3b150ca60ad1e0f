import { Controller, Get, Logger, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Actor } from '../../../platform/audit';
import { CurrentActor, CurrentPrincipal, RequireScope, type Principal } from '../../teams';
import { TeamExport } from './team-export';

const NDJSON = 'application/x-ndjson';
const EXAMPLE = [
  '{"kind":"start","version":1,"team":"vision","startedAt":"2026-11-30T09:00:00.000Z"}',
  '{"kind":"run","record":{"id":"0193794c-0c00-7000-8000-000000000001","model":"llama-7b"}}',
  '{"kind":"end","complete":true,"counts":{"run":1},"endedAt":"2026-11-30T09:00:01.000Z"}',
].join('\n');

@ApiTags('Export')
@Controller('v1/export')
export class ExportController {
  private readonly log = new Logger(ExportController.name);

  constructor(private readonly exports: TeamExport) {}

  @Get()
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Everything that the team has, as one stream of JSON lines',
    description:
      'Needs scope admin. Team, members, invitations, service accounts, tokens and webhooks without their secrets, the ' +
      'audit log, runs, reports, events, usage, and files with URLs that are good for a day. The last line has kind end ' +
      'and counts the records of each kind: an export without it is not complete. Lines are { kind, record }; new kinds ' +
      'and fields may be added.',
  })
  @ApiOkResponse({
    description: 'One JSON object a line.',
    content: { [NDJSON]: { schema: { type: 'string' }, example: EXAMPLE } },
  })
  async exportTeam(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Res() response: Response,
  ): Promise<void> {
    const { slug, lines } = await this.exports.begin(teamId, actor);
    response.setHeader('Content-Type', NDJSON);
    response.setHeader('Content-Disposition', `attachment; filename="${slug}.ndjson"`);
    response.setHeader('Cache-Control', 'no-store');
    try {
      // One page is made ahead of the client, no more.
      await pipeline(Readable.from(lines, { highWaterMark: 1 }), response);
    } catch (error) {
      // The connection was cut, which a client takes for what it is: its answer has no end.
      this.log.warn({ err: error, teamId }, 'an export did not come to its end');
    }
  }
}
