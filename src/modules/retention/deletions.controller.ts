import { Body, Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { type Actor } from '../../platform/audit';
import { ProblemError } from '../../platform/errors';
import { ApiProblems, printableLine } from '../../platform/http';
import { CurrentActor, CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../teams';
import { RunDeletionRepository } from './run-deletion.repository';
import { TeamDeletionRepository } from './team-deletion.repository';

class DeletedRunIdDto extends createZodDto(z.object({ id: z.uuid() })) {}

class TeamDeletionDto extends createZodDto(
  z.strictObject({
    confirm: printableLine(63)
      .describe('The slug of the team, so that no other one is meant.')
      .meta({ example: 'vision' }),
  }),
) {}

@ApiTags('Deletion')
@Controller('v1')
export class DeletionsController {
  constructor(
    private readonly runs: RunDeletionRepository,
    private readonly teams: TeamDeletionRepository,
  ) {}

  @Delete('runs/:id')
  @HttpCode(204)
  // Pipelines have runs:write, and what was deleted does not come back.
  @RequireScope('admin')
  @HonoursRunLimits('run-id')
  @ApiOperation({
    summary: 'Delete a run for good: its files, reports and events',
    description:
      'Needs scope admin. Whatever state the run is in; its analysis is stopped. The run is gone at once, its files within ' +
      'minutes, unless another run has the same content.',
  })
  @ApiNoContentResponse({ description: 'The run is gone.' })
  @ApiProblems('run-not-found')
  async deleteRun(
    @CurrentPrincipal() { teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Param() { id }: DeletedRunIdDto,
  ): Promise<void> {
    if (await this.runs.deleteForPerson(teamId, id, actor)) return;
    throw new ProblemError('run-not-found', 'Your team has no run with this id.');
  }

  @Delete('team')
  @HttpCode(204)
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Delete the team of this credential, with everything it has',
    description:
      'For owners in person. Nobody gets in from now on, neither people nor tokens; runs, files and everything else are ' +
      'deleted in the course of minutes to hours. Export first with GET /v1/export.',
  })
  @ApiNoContentResponse({ description: 'The team is closed, and is being deleted.' })
  @ApiProblems('owner-required', 'confirmation-mismatch')
  async deleteTeam(
    @CurrentPrincipal() { kind, role, teamId }: Principal,
    @CurrentActor() actor: Actor,
    @Body() { confirm }: TeamDeletionDto,
  ): Promise<void> {
    if (kind !== 'user' || role !== 'owner')
      throw new ProblemError('owner-required', 'A team is deleted by one of its owners, in person.');
    if (await this.teams.close(teamId, confirm, actor)) return;
    throw new ProblemError('confirmation-mismatch', 'The field confirm is not the slug of your team.');
  }
}
