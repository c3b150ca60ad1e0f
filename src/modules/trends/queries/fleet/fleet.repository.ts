import { Injectable } from '@nestjs/common';
import { STEP_PART_NAMES, type StepPartName } from '../../../../analysis';
import { Database } from '../../../../platform/database';
import { Prisma } from '../../../../platform/database/generated/client';
import { type RunLimits } from '../../../teams';
import { limitConditions } from '../series-filter.repository';
import { type FleetGroup, type FleetQuery } from './fleet-schemas';

const { sql } = Prisma;

/** Which group sums are of: both are null in those of all runs, `cluster` unless groups are of a model and a cluster. */
export interface FleetGroupKey {
  value: string | null;
  cluster: string | null;
}

/** Sums over the runs of a group. */
export interface FleetRow extends FleetGroupKey {
  runs: number;
  runsWithGpuHours: number;
  runsWithSteps: number;
  /** GPUs of runs with steps: what shares are weighted by. */
  gpus: number;
  gpuHours: number | null;
  /** GPU-hours of each part, null where unknown, in the order of `STEP_PART_NAMES`. */
  partHours: (number | null)[];
  /** Shares of each part times GPUs. */
  partGpus: (number | null)[];
}

export interface FleetGain extends FleetGroupKey {
  rule: string;
  runs: number;
  gpuHours: number | null;
  mostGpuHours: number | null;
  /** Shares of the step times GPUs. */
  gpus: number;
  mostGpus: number;
}

export interface FleetVerdict extends FleetGroupKey {
  verdict: string;
  runs: number;
}

export interface FleetSums {
  rows: FleetRow[];
  gains: FleetGain[];
  verdicts: FleetVerdict[];
}

const COLUMNS: Readonly<Record<StepPartName, Prisma.Sql>> = {
  compute: sql`u.compute`,
  exposedCommunication: sql`u.exposed_communication`,
  exposedMemcpy: sql`u.exposed_memcpy`,
  inputWait: sql`u.input_wait`,
  syncWait: sql`u.sync_wait`,
  allocator: sql`u.allocator`,
  launchGap: sql`u.launch_gap`,
  hostOther: sql`u.host_other`,
  dependency: sql`u.dependency`,
  unexplained: sql`u.unexplained`,
};
/** Columns of `FleetGroupKey`, and what to group by. */
const GROUPS: Readonly<Record<FleetGroup, { key: Prisma.Sql; by: Prisma.Sql }>> = {
  model: { key: sql`u.model AS value, NULL AS cluster`, by: sql`u.model` },
  cluster: { key: sql`u.cluster AS value, NULL AS cluster`, by: sql`u.cluster` },
  workload: { key: sql`u.workload AS value, NULL AS cluster`, by: sql`u.workload` },
  'model-and-cluster': { key: sql`u.model AS value, u.cluster`, by: sql`u.model, u.cluster` },
};

/** Product of the two, null where either was not said. */
const HOURS = sql`(u.gpus::double precision * u.duration_s / 3600)`;
/** A run that does not say its GPUs weighs as one. */
const GPUS = sql`coalesce(u.gpus, 1)`;

/** Where the GPU-hours of a team went. */
@Injectable()
export class FleetRepository {
  constructor(private readonly database: Database) {}

  /** Sums by group and over all; `limits` are those of the credential. */
  async sum(teamId: string, query: FleetQuery, limits: RunLimits | undefined): Promise<FleetSums> {
    return this.database.forTeam(teamId, async ({ $queryRaw }) => ({
      rows: await $queryRaw<FleetRow[]>(fleetRows(teamId, query, limits)),
      gains: await $queryRaw<FleetGain[]>(fleetGains(teamId, query, limits)),
      verdicts: await $queryRaw<FleetVerdict[]>(fleetVerdicts(teamId, query, limits)),
    }));
  }
}

/** One row a group and one over all, from one pass over the runs. */
export function fleetRows(teamId: string, query: FleetQuery, limits: RunLimits | undefined): Prisma.Sql {
  const each = (pick: (column: Prisma.Sql) => Prisma.Sql) =>
    sql`ARRAY[${Prisma.join(STEP_PART_NAMES.map((part) => pick(COLUMNS[part])))}]`;
  const { key, by } = GROUPS[query.groupBy];
  return sql`SELECT ${key}, count(*)::integer AS runs, count(${HOURS})::integer AS "runsWithGpuHours",
      count(u.compute)::integer AS "runsWithSteps",
      coalesce(sum(${GPUS}) FILTER (WHERE u.compute IS NOT NULL), 0)::double precision AS gpus, sum(${HOURS}) AS "gpuHours",
      ${each((column) => sql`sum(${column} * ${HOURS})`)} AS "partHours",
      ${each((column) => sql`sum(${column} * ${GPUS}::double precision)`)} AS "partGpus"
    FROM run_usage u WHERE ${conditions(teamId, query, limits)}
    GROUP BY GROUPING SETS ((${by}), ())`;
}

/** What would come back, by group and rule and by rule over all. */
export function fleetGains(teamId: string, query: FleetQuery, limits: RunLimits | undefined): Prisma.Sql {
  const { key, by } = GROUPS[query.groupBy];
  const gain = sql`g.value::double precision`;
  // Runs of before the most was kept say what is expected.
  const most = sql`coalesce((u.most_gains ->> g.key)::double precision, ${gain})`;
  return sql`SELECT ${key}, g.key AS rule, count(*)::integer AS runs,
      sum(${gain} * ${HOURS}) AS "gpuHours", sum(${gain} * ${GPUS}) AS gpus,
      sum(${most} * ${HOURS}) AS "mostGpuHours", sum(${most} * ${GPUS}) AS "mostGpus"
    FROM run_usage u CROSS JOIN LATERAL jsonb_each_text(u.gains) g WHERE ${conditions(teamId, query, limits)}
    GROUP BY GROUPING SETS ((${by}, g.key), (g.key))`;
}

export function fleetVerdicts(teamId: string, query: FleetQuery, limits: RunLimits | undefined): Prisma.Sql {
  const { key, by } = GROUPS[query.groupBy];
  return sql`SELECT ${key}, u.bottleneck AS verdict, count(*)::integer AS runs
    FROM run_usage u WHERE ${conditions(teamId, query, limits)}
    GROUP BY GROUPING SETS ((${by}, u.bottleneck), (u.bottleneck))`;
}

function conditions(
  teamId: string,
  { from, to, model, cluster, workload }: FleetQuery,
  limits: RunLimits | undefined,
): Prisma.Sql {
  const is = (column: Prisma.Sql, value: string | undefined) =>
    value === undefined ? [] : [sql`${column} = ${value}`];
  return Prisma.join(
    [
      sql`u.team_id = ${teamId}::uuid AND u.at >= ${from}::timestamptz AND u.at < ${to}::timestamptz`,
      ...is(sql`u.model`, model),
      ...is(sql`u.cluster`, cluster),
      ...is(sql`u.workload`, workload),
      ...limitConditions(sql`u.model`, sql`u.cluster`, limits),
    ],
    ' AND ',
  );
}
