import { Prisma } from '../../../platform/database/generated/client';
import { type RunLimits } from '../../teams';
import { gpuConditionOf } from './conditions';

const { sql } = Prisma;

/** Which series are wanted. */
export interface SeriesFilter {
  seriesId?: string;
  model?: string;
  cluster?: string;
  workload?: string;
  gpu?: string;
}

/** The conditions of a question on `series s`, those of the team and of a limited credential included. */
export function seriesConditions(
  teamId: string,
  { seriesId, model, cluster, workload, gpu }: SeriesFilter,
  limits: RunLimits | undefined,
): Prisma.Sql[] {
  return [
    sql`s.team_id = ${teamId}::uuid`,
    ...(seriesId === undefined ? [] : [sql`s.id = ${seriesId}::uuid`]),
    ...is(sql`s.model`, model),
    ...is(sql`s.cluster`, cluster),
    ...is(sql`s.workload`, workload),
    ...(gpu === undefined ? [] : [hasCondition(gpuConditionOf(gpu))]),
    ...limitConditions(sql`s.model`, sql`s.cluster`, limits),
  ];
}

/** What a limited credential may see; an empty list is no limit. */
export function limitConditions(
  model: Prisma.Sql,
  cluster: Prisma.Sql,
  limits: RunLimits | undefined,
): Prisma.Sql[] {
  const isOneOf = (column: Prisma.Sql, values: readonly string[] = []) =>
    values.length === 0 ? [] : [sql`${column} = ANY(${[...values]}::text[])`];
  return [...isOneOf(model, limits?.models), ...isOneOf(cluster, limits?.clusters)];
}

const is = (column: Prisma.Sql, value: string | undefined) =>
  value === undefined ? [] : [sql`${column} = ${value}`];

function hasCondition(condition: string): Prisma.Sql {
  return sql`(s.comparability NOT LIKE 'custom:%' AND ${condition} = ANY(string_to_array(s.comparability, ';')))`;
}
