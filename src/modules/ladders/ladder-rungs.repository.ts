import { Injectable } from '@nestjs/common';
import { type Analysis, flattenFacts, type RungInput } from '../../analysis';
import { Database, type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { ladderNotFound } from './ladders.repository';

export interface RungRun {
  id: string;
  model: string;
  cluster: string;
  commit: string | null;
  state: string;
  startedAt: Date | null;
}

export interface StoredRung extends RungInput {
  /** Null when it was deleted. */
  run: RungRun | null;
}

/** A rung with its run, and the parts of the newest report that a ladder needs: a whole one may have megabytes. */
interface RungRow extends Omit<RungRun, 'id'> {
  label: string;
  runId: string | null;
  metadata: unknown;
  setup: unknown;
  worldSize: number | null;
  metrics: Analysis['metrics'] | null;
  verdict: Analysis['verdict'];
  figures: NonNullable<Analysis['advice']>['utilisation']['figures'] | null;
  finding: Analysis['findings'][number] | null;
  reportedFacts: Record<string, string> | null;
}

/** The rungs of ladders. */
@Injectable()
export class LadderRungsRepository {
  constructor(private readonly database: Database) {}

  /** Puts these rungs in the place of all others. Throws `ladder-not-found` and `run-not-found`. */
  async replace(
    teamId: string,
    ladderId: string,
    rungs: readonly { runId: string; label: string }[],
  ): Promise<void> {
    await this.database.forTeam(teamId, async (scope) => {
      const { $queryRaw, ladderRung } = scope;
      // Locked, so that of two writers at once one wins as a whole.
      const ladders = await $queryRaw<object[]>`
        SELECT 1 FROM ladders WHERE team_id = ${teamId}::uuid AND id = ${ladderId}::uuid FOR UPDATE`;
      if (ladders.length === 0) throw ladderNotFound();
      await refuseUnknownRuns(
        scope,
        rungs.map(({ runId }) => runId),
      );
      await ladderRung.deleteMany({ where: { teamId, ladderId } });
      await ladderRung.createMany({
        data: rungs.map((rung, ordinal) => ({ ...rung, teamId, ladderId, ordinal })),
      });
    });
  }

  /** The rungs in order, each with what is known of its run. */
  async list(teamId: string, ladderId: string): Promise<StoredRung[]> {
    const rows = await this.database.forTeam(
      teamId,
      ({ $queryRaw }) => $queryRaw<RungRow[]>`
        SELECT g.label, r.id AS "runId", r.model, r.cluster, r.commit, r.state::text AS state, r.started_at AS "startedAt",
          r.metadata, r.setup, r.world_size AS "worldSize", a.report->'metrics' AS metrics, a.report->'verdict' AS verdict,
          a.report#>'{advice,utilisation,figures}' AS figures, a.report#>'{findings,0}' AS finding,
          a.report->'metadata' AS "reportedFacts"
        FROM ladder_rungs g
        LEFT JOIN runs r ON r.id = g.run_id AND r.team_id = ${teamId}::uuid
        LEFT JOIN analyses a ON a.id = r.latest_analysis_id AND a.team_id = ${teamId}::uuid
        WHERE g.team_id = ${teamId}::uuid AND g.ladder_id = ${ladderId}::uuid ORDER BY g.ordinal`,
    );
    return rows.map(toRung);
  }
}

async function refuseUnknownRuns({ teamId, run }: TeamScope, runIds: readonly string[]): Promise<void> {
  const known = await run.findMany({ where: { teamId, id: { in: [...runIds] } }, select: { id: true } });
  const unknown = runIds.find((runId) => !known.some(({ id }) => id === runId));
  if (unknown !== undefined) throw new ProblemError('run-not-found', `Your team has no run ${unknown}.`);
}

function toRung(row: RungRow): StoredRung {
  const { label, runId, model, cluster, commit, state, startedAt, setup, metadata, worldSize } = row;
  if (runId === null) return { label, run: null, report: 'run-deleted', configuration: {} };
  const { metrics, verdict, figures, finding, reportedFacts } = row;
  return {
    label,
    run: { id: runId, model, cluster, commit, state, startedAt },
    report: metrics ? { metrics, verdict, utilisation: figures ?? [], finding } : 'not-analysed',
    // What the job itself wrote goes before what was said of it.
    configuration: {
      ...flattenFacts({ ...toObject(metadata), ...toObject(setup), worldSize }),
      ...reportedFacts,
    },
  };
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
