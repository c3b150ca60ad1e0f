import { type TeamScope } from '../../../../platform/database';
import { Prisma } from '../../../../platform/database/generated/client';
import { type RunLimits } from '../../../teams';
import { seriesConditions, type SeriesFilter } from '../series-filter.repository';

/** A series that has the metric. */
export interface TrendSeries {
  /** Key of its points. */
  seriesMetricId: bigint;
  id: string;
  model: string;
  cluster: string;
  workload: string;
  comparability: string;
}

/** Series with the metric that the filter wants, at most `limit`, those with the latest runs first. */
export async function findTrendSeries(
  { teamId, $queryRaw }: TeamScope,
  metricId: string,
  filter: SeriesFilter,
  limits: RunLimits | undefined,
  limit: number,
): Promise<TrendSeries[]> {
  return $queryRaw<TrendSeries[]>`
    SELECT m.id AS "seriesMetricId", s.id, s.model, s.cluster, s.workload, s.comparability
    FROM series_metrics m JOIN series s ON s.id = m.series_id
    WHERE m.team_id = ${teamId}::uuid AND m.metric_id = ${metricId}
      AND ${Prisma.join(seriesConditions(teamId, filter, limits), ' AND ')}
    ORDER BY s.last_run_at DESC, s.id DESC LIMIT ${limit}::integer`;
}
