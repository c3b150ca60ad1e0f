import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type TeamRow, type TeamScope } from '../../platform/database';
import { type RunSetup } from '../ingestion';

/** A finished run, as far as its series needs it. */
export interface RunToTrend {
  id: string;
  model: string;
  cluster: string;
  workload: string;
  branch: string;
  commit: string | null;
  at: Date;
  worldSize: number | null;
  durationS: number | null;
  setup: RunSetup;
  comparability: string | null;
  generation: number;
  analysisId: string;
  reportedGpu: string | null;
  reportedFacts: Record<string, string> | null;
}

/** Where the points of a run went. */
export interface RecordedRun {
  seriesId: string;
  /** Keys of the metrics that the run has a value of. */
  seriesMetricIds: Map<string, bigint>;
}

/** Finished runs on their way into the series. */
@Injectable()
export class TrendRunsRepository {
  constructor(private readonly database: Database) {}

  /** Runs whose metrics are not in their series yet: the oldest of every team, then the second of every team. */
  async findUntrended(maxRows: number): Promise<(TeamRow & { at: Date })[]> {
    return this.database.withoutTeam((scope) => scope.findUntrendedRuns(maxRows));
  }

  /** Passes over a run whose metrics cannot be recorded; its next analysis is tried again. */
  async giveUp(teamId: string, runId: string): Promise<void> {
    await this.database.forTeam(
      teamId,
      ({ $executeRaw }) =>
        $executeRaw`UPDATE runs SET trended_generation = generation WHERE team_id = ${teamId}::uuid AND id = ${runId}::uuid`,
    );
  }

  /** Makes the partition of that month, where it is missing. */
  async ensurePartition(at: Date): Promise<void> {
    await this.database.withoutTeam((scope) => scope.ensurePointPartition(at));
  }
}

/**
 * The run, locked until the transaction ends; null when it is gone, changing, or in its series already. Others may refer to it
 * meanwhile: whoever has the series locked does, and would wait for us who wait for the series.
 */
export async function lockRunToTrend(scope: TeamScope, runId: string): Promise<RunToTrend | null> {
  const { teamId } = scope;
  const rows = await scope.$queryRaw<RunToTrend[]>`
    SELECT r.id, r.model, r.cluster, coalesce(r.workload, '') AS workload, coalesce(r.branch, '') AS branch, r.commit,
      coalesce(r.started_at, r.created_at) AS at, r.world_size AS "worldSize", r.duration_s AS "durationS", r.setup, r.comparability, r.generation,
      r.latest_analysis_id AS "analysisId", a.report #>> '{roofline,gpu,name}' AS "reportedGpu",
      a.report -> 'metadata' AS "reportedFacts"
    FROM runs r JOIN analyses a ON a.id = r.latest_analysis_id AND a.team_id = ${teamId}::uuid
    WHERE r.team_id = ${teamId}::uuid AND r.id = ${runId}::uuid AND r.state = 'done' AND r.trended_generation < r.generation
    FOR NO KEY UPDATE OF r`;
  return rows[0] ?? null;
}

/** Has the daily values of the run's days made anew. */
async function touchDays({ teamId, $executeRaw }: TeamScope, runId: string): Promise<void> {
  await $executeRaw`SELECT touch_days_of_run(${teamId}::uuid, ${runId}::uuid)`;
}

/** Puts the metrics of the run into its series, in the place of those of an earlier analysis. */
export async function recordPoints(
  scope: TeamScope,
  run: RunToTrend,
  comparability: string,
): Promise<RecordedRun> {
  const { teamId } = scope;
  // Locks the series: its runs are taken one after the other.
  const [series] = await scope.$queryRaw<{ id: string }[]>`
    INSERT INTO series (id, team_id, model, cluster, workload, comparability, last_run_at)
    VALUES (${randomUUID()}::uuid, ${teamId}::uuid, ${run.model}, ${run.cluster}, ${run.workload}, ${comparability}, ${run.at})
    ON CONFLICT (team_id, model, cluster, workload, comparability)
    DO UPDATE SET last_run_at = greatest(series.last_run_at, excluded.last_run_at)
    RETURNING id`;
  await scope.$executeRaw`
    INSERT INTO series_metrics (team_id, series_id, metric_id)
    SELECT ${teamId}::uuid, ${series.id}::uuid, v.metric_id FROM metric_values v
    WHERE v.team_id = ${teamId}::uuid AND v.analysis_id = ${run.analysisId}::uuid AND v.value IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM series_metrics m WHERE m.series_id = ${series.id}::uuid AND m.metric_id = v.metric_id)
    ON CONFLICT DO NOTHING`;
  await touchDays(scope, run.id);
  await scope.$executeRaw`DELETE FROM points WHERE team_id = ${teamId}::uuid AND run_id = ${run.id}::uuid`;
  await scope.$executeRaw`
    INSERT INTO points (series_metric_id, at, run_id, team_id, branch, value)
    SELECT m.id, ${run.at}, ${run.id}::uuid, ${teamId}::uuid, ${run.branch}, v.value
    FROM metric_values v JOIN series_metrics m ON m.series_id = ${series.id}::uuid AND m.metric_id = v.metric_id
    WHERE v.team_id = ${teamId}::uuid AND v.analysis_id = ${run.analysisId}::uuid AND v.value IS NOT NULL`;
  await touchDays(scope, run.id);
  await scope.run.updateMany({
    where: { teamId, id: run.id },
    data: { seriesId: series.id, trendedGeneration: run.generation },
  });
  const metrics = await scope.seriesMetric.findMany({
    where: { teamId, seriesId: series.id },
    select: { id: true, metricId: true },
  });
  return {
    seriesId: series.id,
    seriesMetricIds: new Map(metrics.map(({ id, metricId }) => [metricId, id])),
  };
}
