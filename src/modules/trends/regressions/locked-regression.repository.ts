import { Injectable } from '@nestjs/common';
import { type Actor } from '../../../platform/audit';
import { Database, type TeamScope } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { isWithinLimits, type Principal } from '../../teams';
import { addAct } from './regression-state.repository';
import { readDetail, type StoredRegressionDetail } from './regressions.repository';

/** A regression that somebody is about to change. */
export interface LockedRegression {
  id: string;
  seriesId: string;
  branch: string;
  state: 'open' | 'acknowledged' | 'resolved';
  resolution: string | null;
  firstBadAt: Date;
  mutedUntil: Date | null;
  model: string;
  cluster: string;
}

/** Who acts on which regression, and what goes into its history. */
export interface PersonsAct {
  principal: Principal;
  actor: Actor;
  id: string;
  act: string;
  reason?: string;
}

/** Changes regressions one person, or worker, at a time. */
@Injectable()
export class LockedRegressionRepository {
  constructor(private readonly database: Database) {}

  /**
   * Makes a change with its entry in the history, in one transaction in which nobody else changes the series; gives the
   * regression as it is then. Throws `regression-not-found`, also outside of the limits of the credential.
   */
  async change(
    { principal: { teamId, runLimits }, actor, id, act, reason }: PersonsAct,
    work: (scope: TeamScope, regression: LockedRegression) => Promise<void>,
  ): Promise<StoredRegressionDetail> {
    return this.database.forTeam(teamId, async (scope) => {
      const regression = await lock(scope, id);
      if (!regression || !isWithinLimits(runLimits, regression)) throw regressionNotFound();
      await addAct(scope, id, { act, actorId: actor.id, actorName: actor.name, reason });
      await work(scope, regression);
      const changed = await readDetail(scope, id, undefined);
      if (!changed) throw regressionNotFound();
      return changed;
    });
  }
}

/** The series first, as the recording of a run does: nobody waits for somebody who waits for them. */
async function lock({ teamId, $queryRaw }: TeamScope, id: string): Promise<LockedRegression | undefined> {
  await $queryRaw`
    SELECT 1 FROM series WHERE team_id = ${teamId}::uuid AND id = (
      SELECT series_id FROM regressions WHERE team_id = ${teamId}::uuid AND id = ${id}::uuid) FOR UPDATE`;
  const rows = await $queryRaw<LockedRegression[]>`
    SELECT g.id, g.series_id AS "seriesId", g.branch, g.state, g.resolution, g.first_bad_at AS "firstBadAt",
      g.muted_until AS "mutedUntil", s.model, s.cluster
    FROM regressions g JOIN series s ON s.id = g.series_id AND s.team_id = ${teamId}::uuid
    WHERE g.team_id = ${teamId}::uuid AND g.id = ${id}::uuid FOR UPDATE OF g`;
  return rows[0];
}

export function regressionNotFound(): ProblemError {
  return new ProblemError('regression-not-found', 'Your team has no regression with this id.');
}
