import { Injectable } from '@nestjs/common';
import { type Analysis, type ChangeExplanation, type ComparedGroup, flattenFacts } from '../../analysis';
import { Database, type TeamRow, type TeamScope } from '../../platform/database';

/** Runs of either side that an explanation stands on; a report may have megabytes. */
const RUNS_PER_SIDE = 3;

/** A run with its newest report. */
interface ReportedRun {
  runId: string;
  report: unknown;
  setup: unknown;
  metadata: unknown;
  worldSize: number | null;
}

interface SidesOfRegression {
  before: ReportedRun[];
  after: ReportedRun[];
}

/** Reports of the runs around a change, and what was found in them. */
@Injectable()
export class ExplanationsRepository {
  constructor(private readonly database: Database) {}

  /** Regressions of all teams that were not explained yet. */
  async findUnexplained(maxRows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) => scope.findUnexplainedRegressions(maxRows));
  }

  /** The last good runs and the last bad ones, which are on its present level; null when the regression is gone. */
  async loadSides(
    teamId: string,
    regressionId: string,
  ): Promise<{ before: ComparedGroup; after: ComparedGroup } | null> {
    const sides = await this.database.forTeam(teamId, (scope) => loadSides(scope, regressionId));
    return sides && { before: toGroup(sides.before), after: toGroup(sides.after) };
  }

  /** The given runs of the team, in order of time, with their reports; runs without a report are left out. */
  async loadGroup(teamId: string, runIds: readonly string[]): Promise<ComparedGroup> {
    return toGroup(await this.database.forTeam(teamId, (scope) => loadRuns(scope, runIds)));
  }

  /** Keeps the explanation, null when there is none to be had. */
  async save(teamId: string, regressionId: string, explanation: ChangeExplanation | null): Promise<void> {
    await this.database.forTeam(teamId, ({ regression }) =>
      regression.updateMany({
        where: { teamId, id: regressionId },
        data: {
          explainedAt: new Date(),
          ...(explanation ? { explanation: JSON.parse(JSON.stringify(explanation)) as object } : {}),
        },
      }),
    );
  }
}

async function loadSides(scope: TeamScope, regressionId: string): Promise<SidesOfRegression | null> {
  const { teamId } = scope;
  const regression = await scope.regression.findFirst({
    where: { teamId, id: regressionId },
    select: { seriesId: true, branch: true, firstBadAt: true, goodAgainAt: true },
  });
  if (!regression) return null;
  const { seriesId, branch, firstBadAt, goodAgainAt } = regression;
  const good = await scope.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE team_id = ${teamId}::uuid AND series_id = ${seriesId}::uuid AND coalesce(branch, '') = ${branch}
      AND coalesce(started_at, created_at) < ${firstBadAt}
    ORDER BY coalesce(started_at, created_at) DESC LIMIT ${RUNS_PER_SIDE}`;
  const bad = await scope.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE team_id = ${teamId}::uuid AND series_id = ${seriesId}::uuid AND coalesce(branch, '') = ${branch}
      AND coalesce(started_at, created_at) >= ${firstBadAt}
      AND coalesce(started_at, created_at) < coalesce(${goodAgainAt}, 'infinity'::timestamptz)
    ORDER BY coalesce(started_at, created_at) DESC LIMIT ${RUNS_PER_SIDE}`;
  const load = (rows: { id: string }[]) =>
    loadRuns(
      scope,
      rows.map(({ id }) => id),
    );
  return { before: await load(good), after: await load(bad) };
}

async function loadRuns({ teamId, $queryRaw }: TeamScope, runIds: readonly string[]): Promise<ReportedRun[]> {
  return $queryRaw<ReportedRun[]>`
    SELECT r.id AS "runId", a.report, r.setup, r.metadata, r.world_size AS "worldSize"
    FROM runs r JOIN analyses a ON a.id = r.latest_analysis_id AND a.team_id = ${teamId}::uuid
    WHERE r.team_id = ${teamId}::uuid AND r.id = ANY(${[...runIds]}::uuid[])
    ORDER BY coalesce(r.started_at, r.created_at), r.id`;
}

function toGroup(runs: readonly ReportedRun[]): ComparedGroup {
  const latest = runs.at(-1);
  return {
    // Written by our own workers from an Analysis; compatible changes only add to it.
    analyses: runs.map(({ report }) => report as Analysis),
    configuration: latest
      ? flattenFacts({ ...toObject(latest.metadata), ...toObject(latest.setup), worldSize: latest.worldSize })
      : {},
  };
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
