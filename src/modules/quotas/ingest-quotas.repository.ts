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
   * Before the body of an ingest is read. True when a request with this key was answered before: it is let through, gets
   * that answer again, and nothing of its body is kept. Throws `quota-runs-exceeded`, `backlog-full`.
   */
  async foresee(teamId: string, idempotencyKey: string | undefined, keptSince: Date): Promise<boolean> {
    return this.database.forTeam(teamId, async (scope) => {
      const where = { teamId, route: 'PUT /v1/ingest', key: idempotencyKey, createdAt: { gte: keptSince } };
      if (idempotencyKey !== undefined && (await scope.idempotencyRecord.count({ where })) > 0) return true;
      await this.quotas.foreseeRun(scope);
      return false;
    });
  }
}
