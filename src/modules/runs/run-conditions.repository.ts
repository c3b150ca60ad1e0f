import { Prisma } from '../../platform/database/generated/client';
import { type RunLimits } from '../teams';
import { type RunFilter } from './run-list-query';

const { sql } = Prisma;

/** The conditions of a list on `runs r`, those of the team and of a limited credential included. */
export function runConditions(teamId: string, filter: RunFilter, limits: RunLimits | undefined): Prisma.Sql {
  const { model, cluster, workload, branch, commit, state, verdict, createdFrom, createdTo } = filter;
  const conditions = [
    sql`r.team_id = ${teamId}::uuid`,
    ...is(sql`r.model`, model),
    ...is(sql`r.cluster`, cluster),
    ...is(sql`r.workload`, workload),
    ...is(sql`r.branch`, branch),
    ...is(sql`r.commit`, commit),
    ...is(sql`r.verdict`, verdict),
    ...(state === undefined ? [] : [sql`r.state = ${state}::run_state`]),
    ...(createdFrom ? [sql`r.created_at >= ${createdFrom}::timestamptz`] : []),
    ...(createdTo ? [sql`r.created_at < ${createdTo}::timestamptz`] : []),
    ...filter.tag.map((tag) => hasTag(teamId, tag)),
    ...filter.metric.map(({ metricId, min, max }) => {
      const low = min === undefined ? [] : [sql`m.value >= ${min}::double precision`];
      const high = max === undefined ? [] : [sql`m.value <= ${max}::double precision`];
      return sql`EXISTS (${metricOfRun(teamId, metricId, [...low, ...high])})`;
    }),
    ...isOneOf(sql`r.model`, limits?.models),
    ...isOneOf(sql`r.cluster`, limits?.clusters),
  ];
  return Prisma.join(conditions, ' AND ');
}

/** A query that finds a row when the newest report of `r` has a value of the metric. */
export function metricOfRun(teamId: string, metricId: string, bounds: Prisma.Sql[] = []): Prisma.Sql {
  const conditions = [sql`m.value IS NOT NULL`, ...bounds];
  return sql`SELECT 1 FROM metric_values m
    WHERE m.team_id = ${teamId}::uuid AND m.analysis_id = r.latest_analysis_id AND m.metric_id = ${metricId}
      AND ${Prisma.join(conditions, ' AND ')}`;
}

function hasTag(teamId: string, tag: string): Prisma.Sql {
  return sql`EXISTS (
    SELECT 1 FROM run_tags t WHERE t.team_id = ${teamId}::uuid AND t.run_id = r.id AND t.tag = ${tag})`;
}

const is = (column: Prisma.Sql, value: string | undefined) =>
  value === undefined ? [] : [sql`${column} = ${value}`];

/** An empty list is no limit. */
const isOneOf = (column: Prisma.Sql, values: readonly string[] = []) =>
  values.length === 0 ? [] : [sql`${column} = ANY(${[...values]}::text[])`];
