import { Injectable } from '@nestjs/common';
import { Database, type RunEvent, type RunEventPosition } from '../../../platform/database';
import { type RunState } from '../../ingestion';

/** What happened to runs, in order. */
@Injectable()
export class RunEventsRepository {
  constructor(private readonly database: Database) {}

  /** The state that a run is in; null when the team has no such run. */
  async findState(teamId: string, runId: string): Promise<RunState | null> {
    const found = await this.database.forTeam(teamId, ({ run }) =>
      run.findFirst({ where: { teamId, id: runId }, select: { state: true } }),
    );
    return found?.state ?? null;
  }

  /** What happened to each run after its position, at most `maxPerRun` events of each; one query for all of them. */
  async listAfter(positions: readonly RunEventPosition[], maxPerRun: number): Promise<RunEvent[]> {
    if (positions.length === 0) return [];
    return this.database.withoutTeam((scope) => scope.findRunEvents(positions, maxPerRun));
  }
}
