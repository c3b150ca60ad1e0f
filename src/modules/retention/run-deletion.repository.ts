import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../platform/audit';
import { Database, type TeamScope } from '../../platform/database';

/** A run of thousands of artifacts and tens of thousands of steps takes seconds. */
const DELETE_TIMEOUT_MS = 120_000;

/** Deletes runs with all that belongs to them. */
@Injectable()
export class RunDeletionRepository {
  constructor(private readonly database: Database) {}

  /** False when the team has no such run. */
  async deleteForPerson(teamId: string, runId: string, actor: Actor): Promise<boolean> {
    return this.inScope(teamId, async (scope) => {
      const where = { teamId, id: runId };
      const run = await scope.run.findFirst({ where, select: { model: true, cluster: true, state: true } });
      if (!run || !(await deleteRun(scope, runId))) return false;
      await recordAudit(scope, actor, {
        action: 'run.deleted',
        target: { kind: 'run', id: runId },
        details: run,
      });
      return true;
    });
  }

  /** Deletes a run that is done or failed; false when it is not there, or is worked on again. */
  async deleteExpired(teamId: string, runId: string): Promise<boolean> {
    return this.inScope(teamId, (scope) => deleteRun(scope, runId, { isExpired: true }));
  }

  /** Deletes one run of the team, any; false when there is none. */
  async deleteAny(teamId: string): Promise<boolean> {
    return this.inScope(teamId, async (scope) => {
      const run = await scope.run.findFirst({ where: { teamId }, select: { id: true } });
      return run !== null && deleteRun(scope, run.id);
    });
  }

  private inScope<T>(teamId: string, work: (scope: TeamScope) => Promise<T>): Promise<T> {
    return this.database.forTeam(teamId, work, { timeoutMs: DELETE_TIMEOUT_MS });
  }
}

const ANY_STATE = ['awaitingUpload', 'queued', 'analyzing', 'done', 'failed'];
const FINISHED_STATES = ['done', 'failed'];

/**
 * Deletes every row of a run, and writes down which objects are to follow. A worker that is at the run finds its version
 * gone and stops. False when there is no such run, or it has expired but is worked on.
 */
async function deleteRun(scope: TeamScope, runId: string, { isExpired = false } = {}): Promise<boolean> {
  const { teamId, $executeRaw, $queryRaw } = scope;
  const states = isExpired ? FINISHED_STATES : ANY_STATE;
  // One deletion of a team at a time: of two that share an object, one must see that nobody else stands on it.
  await $queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`stallscope:delete-run:${teamId}`}, 0))::text`;
  const run = await $queryRaw<unknown[]>`
    SELECT 1 FROM runs WHERE team_id = ${teamId}::uuid AND id = ${runId}::uuid AND state::text = ANY(${states}) FOR UPDATE`;
  if (run.length === 0) return false;
  // Waits for whoever holds one of the artifacts, see holdObject; later statements see what they did.
  await $executeRaw`
    INSERT INTO object_deletions (id, team_id, object_key, upload_id)
    SELECT gen_random_uuid(), team_id, object_key, upload_id FROM artifacts
    WHERE team_id = ${teamId}::uuid AND run_id = ${runId}::uuid FOR UPDATE`;
  await $executeRaw`DELETE FROM artifacts WHERE team_id = ${teamId}::uuid AND run_id = ${runId}::uuid`;
  await $executeRaw`
    DELETE FROM object_deletions d USING artifacts a
    WHERE d.team_id = ${teamId}::uuid AND d.created_at = CURRENT_TIMESTAMP
      AND a.team_id = ${teamId}::uuid AND a.object_key = d.object_key`;
  await $executeRaw`
    DELETE FROM webhook_deliveries WHERE team_id = ${teamId}::uuid AND event_id IN (
      SELECT id FROM team_events WHERE team_id = ${teamId}::uuid AND run_id = ${runId}::uuid)`;
  // What trends show by the day outlives runs that expire, and forgets those that somebody deletes.
  if (isExpired) await $executeRaw`SELECT finish_days_of_run(${teamId}::uuid, ${runId}::uuid)`;
  else await $executeRaw`SELECT touch_days_of_run(${teamId}::uuid, ${runId}::uuid)`;
  await $executeRaw`DELETE FROM runs WHERE team_id = ${teamId}::uuid AND id = ${runId}::uuid`;
  return true;
}
