import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';
import { RunQuotasRepository } from './run-quotas.repository';

/** Refuses bodies that would be stored for nothing. */
@Injectable()
export class IngestQuotasRepository {
  constructor(
    private readonly database: Database,
    private readonly quotas: RunQuotasRepository,
  ) {}

  /**
   * Before the body of an ingest is read. A request that was answered before is let through: it gets that answer again.
   * Throws `quota-runs-exceeded`, `backlog-full`.
   */
  async foresee(teamId: string, idempotencyKey: string | undefined): Promise<void> {
    await this.database.forTeam(teamId, async (scope) => {
      const where = { teamId, route: 'PUT /v1/ingest', key: idempotencyKey };
      if (idempotencyKey !== undefined && (await scope.idempotencyRecord.count({ where })) > 0) return;
      await this.quotas.foreseeRun(scope);
    });
  }
}
