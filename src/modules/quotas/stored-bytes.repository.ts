import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { Database, type TeamScope } from '../../platform/database';
import { limitColumns, limitsInForce } from './team-limits';

export interface StoredObjects {
  bytes: number;
  objects: number;
}

/** How much a team stores, and how much it may. */
@Injectable()
export class StoredBytesRepository {
  constructor(
    private readonly database: Database,
    @InjectConfig() private readonly config: Pick<Config, 'quotas'>,
  ) {}

  /** Bytes: what the team stores now and what it may store at most. A team that is not there may store nothing. */
  async measure(teamId: string): Promise<{ storedBytes: number; limitBytes: number }> {
    return this.database.forTeam(teamId, async (scope) => {
      const team = await scope.team.findUnique({ where: { id: teamId }, select: limitColumns });
      const { bytes } = await storedObjects(scope);
      return {
        storedBytes: bytes,
        limitBytes: team ? limitsInForce(team, this.config.quotas).storedBytes : 0,
      };
    });
  }
}

/**
 * The objects behind the artifacts of a team: content that several artifacts stand on counts once, uploads that are awaited
 * count as declared, rejected ones not at all. Answered from an index alone.
 */
export async function storedObjects({ teamId, $queryRaw }: TeamScope): Promise<StoredObjects> {
  const [row] = await $queryRaw<[StoredObjects]>`
    SELECT coalesce(sum(size_bytes), 0)::float8 AS bytes, count(*)::integer AS objects FROM (
      SELECT object_key, max(size_bytes) AS size_bytes FROM artifacts
      WHERE team_id = ${teamId}::uuid AND state <> 'rejected' GROUP BY object_key) AS stored`;
  return row;
}
