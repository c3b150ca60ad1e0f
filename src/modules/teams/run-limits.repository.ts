import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Where a run belongs, for credentials that are limited to models or clusters. */
@Injectable()
export class RunLimitsRepository {
  constructor(private readonly database: Database) {}

  /** Null when the team has no such run. */
  async findPlace(teamId: string, runId: string): Promise<{ model: string; cluster: string } | null> {
    if (!uuid.test(runId)) return null;
    return this.database.forTeam(teamId, ({ run }) =>
      run.findFirst({ where: { teamId, id: runId }, select: { model: true, cluster: true } }),
    );
  }
}
