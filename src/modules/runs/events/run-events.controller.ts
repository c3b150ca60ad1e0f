import { Controller, type ExecutionContext, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { ProblemError } from '../../../platform/errors';
import { ApiProblems } from '../../../platform/http';
import {
  AccessGuard,
  CurrentCall,
  CurrentPrincipal,
  HonoursRunLimits,
  RequireScope,
  type Principal,
} from '../../teams';
import { RunIdParamDto } from '../schemas';
import { EventStream, isFinal } from './event-stream';
import { eventsPerPoll, RunEventFeed } from './run-event-feed';
import { RunEventsRepository } from './run-events.repository';

class RunEventsQueryDto extends createZodDto(
  z.strictObject({
    follow: z
      .enum(['true', 'false'])
      .default('false')
      .describe('true: the stream stays open when the run is done or failed, for when it is analysed again.'),
  }),
) {}

const example =
  'retry: 3000\n\nid: 17\nevent: run.queued\ndata: {"type":"run.queued","runId":"…","at":"…","state":"queued",' +
  '"generation":1}\n\n: alive\n\nid: 19\nevent: run.done\ndata: {…}\n\nevent: end\ndata: {"reason":"finished"}\n\n';

@ApiTags('Runs')
@Controller('v1/runs')
export class RunEventsController {
  constructor(
    private readonly feed: RunEventFeed,
    private readonly events: RunEventsRepository,
    private readonly access: AccessGuard,
  ) {}

  @Get(':id/events')
  @RequireScope('runs:read')
  @HonoursRunLimits('run-id')
  @ApiOperation({
    summary: 'What happens to a run, as server-sent events',
    description:
      'Needs scope runs:read. First what happened, then what happens, each with its number as id; the event `end` says ' +
      'why the stream ends: finished (the run is done or failed), credential-ended, run-gone, stopping or unavailable. ' +
      'After any but the first, come back with Last-Event-ID. A comment every 15 s shows that the connection lives.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Number of the last event that was received: only later ones are sent.',
    schema: { type: 'integer', minimum: 0 },
  })
  @ApiOkResponse({
    description: 'The events.',
    content: { 'text/event-stream': { schema: { type: 'string' }, example } },
  })
  @ApiResponse({
    status: 204,
    description: 'The run is done or failed, and Last-Event-ID is its last event.',
  })
  @ApiProblems('run-not-found', 'too-many-streams')
  async streamRunEvents(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentCall() call: ExecutionContext,
    @Param() { id: runId }: RunIdParamDto,
    @Query() { follow }: RunEventsQueryDto,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const after = readEventId(lastEventId);
    const release = this.feed.admit(teamId);
    try {
      const state = await this.events.findState(teamId, runId);
      if (!state) throw new ProblemError('run-not-found', 'Your team has no run with this id.');
      const past = await this.events.listAfter([{ teamId, runId, after }], eventsPerPoll);
      const isOver = isFinal(state) && follow === 'false';
      if (isOver && past.length === 0) {
        release();
        response.status(204).end();
        return;
      }
      const recheck = async () => void (await this.access.canActivate(call));
      const subject = { teamId, runId, after, follow: follow === 'true', recheck };
      const stream = new EventStream(subject, response);
      this.feed.add(stream, release);
      stream.send(past);
      if (past.length < eventsPerPoll) stream.endIfOver();
    } catch (error) {
      release();
      throw error;
    }
  }
}

function readEventId(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const errors = [{ field: 'Last-Event-ID', message: 'must be the id of an event of this stream' }];
  throw new ProblemError('validation-failed', 'Last-Event-ID is not the id of an event.', { errors });
}
