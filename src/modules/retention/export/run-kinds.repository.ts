import { type ExportKind, ROWS_PER_PAGE, toPage } from './export-kind';

/** Reports have megabytes. */
const REPORTS_PER_PAGE = 4;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** A record as Postgres wrote it, once the page is cut, and its place; times are texts there, which have the microseconds that Date has not. */
interface WrittenRow {
  record: string;
  place: string[];
}

function toWrittenPage(rows: readonly WrittenRow[], rowsPerPage: number) {
  const last = rows.at(-1);
  return {
    records: rows.map(({ record }) => record),
    next: last && rows.length === rowsPerPage ? JSON.stringify(last.place) : undefined,
  };
}

const placeOf = (after: string | undefined, first: string[]) =>
  after === undefined ? first : (JSON.parse(after) as string[]);

const run: ExportKind = {
  kind: 'run',
  readPage: async ({ teamId, $queryRaw }, after) => {
    const [createdAt, id] = placeOf(after, ['-infinity', FIRST_ID]);
    const rows = await $queryRaw<WrittenRow[]>`
      SELECT ARRAY[created_at::text, id::text] AS place, json_build_object(
        'id', id, 'model', model, 'cluster', cluster, 'workload', workload, 'branch', branch, 'commit', commit,
        'startedAt', started_at, 'comparability', comparability,
        'worldSize', world_size, 'durationS', duration_s, 'tags', tags, 'setup', setup, 'metadata', metadata, 'state', state,
        'stateChangedAt', state_changed_at, 'generation', generation, 'failureCode', failure_code,
        'failureReason', failure_reason, 'verdict', verdict, 'createdAt', created_at)::text AS record
      FROM (
        SELECT * FROM runs
        WHERE team_id = ${teamId}::uuid AND (created_at, id) > (${createdAt}::timestamptz, ${id}::uuid)
        ORDER BY created_at, id LIMIT ${ROWS_PER_PAGE}) AS page ORDER BY created_at, id`;
    return toWrittenPage(rows, ROWS_PER_PAGE);
  },
};

const report: ExportKind = {
  kind: 'report',
  readPage: async ({ teamId, $queryRaw }, after) => {
    const [createdAt, runId, generation] = placeOf(after, ['-infinity', FIRST_ID, '0']);
    const rows = await $queryRaw<WrittenRow[]>`
      SELECT ARRAY[run_created_at::text, run_id::text, generation::text] AS place, json_build_object(
        'id', id, 'runId', run_id, 'generation', generation, 'analysisVersion', analysis_version,
        'createdAt', created_at, 'report', report)::text AS record
      FROM (
        SELECT a.*, r.created_at AS run_created_at
        FROM runs r JOIN analyses a ON a.run_id = r.id AND a.team_id = ${teamId}::uuid
        WHERE r.team_id = ${teamId}::uuid AND (r.created_at, r.id) >= (${createdAt}::timestamptz, ${runId}::uuid)
          AND (r.created_at, r.id, a.generation)
            > (${createdAt}::timestamptz, ${runId}::uuid, ${Number(generation)}::integer)
        ORDER BY r.created_at, r.id, a.generation LIMIT ${REPORTS_PER_PAGE}) AS page
      ORDER BY run_created_at, run_id, generation`;
    return toWrittenPage(rows, REPORTS_PER_PAGE);
  },
};

const event: ExportKind = {
  kind: 'event',
  readPage: async ({ teamId, teamEvent }, after) => {
    const rows = await teamEvent.findMany({
      where: { teamId, ...(after === undefined ? {} : { seq: { gt: BigInt(after) } }) },
      omit: { teamId: true, fannedOutAt: true },
      orderBy: { seq: 'asc' },
      take: ROWS_PER_PAGE,
    });
    return toPage(rows, ({ seq }) => String(seq));
  },
};

const delivery: ExportKind = {
  kind: 'webhookDelivery',
  readPage: async ({ teamId, webhookDelivery }, after) => {
    const [endpointId, id] = placeOf(after, [FIRST_ID, FIRST_ID]);
    const rows = await webhookDelivery.findMany({
      where: {
        teamId,
        OR: [{ endpointId: { gt: endpointId } }, { endpointId, id: { gt: id } }],
      },
      omit: { teamId: true },
      orderBy: [{ endpointId: 'asc' }, { id: 'asc' }],
      take: ROWS_PER_PAGE,
    });
    return toPage(rows, (row) => JSON.stringify([row.endpointId, row.id]));
  },
};

const usageDay: ExportKind = {
  kind: 'usageDay',
  readPage: async ({ teamId, usageDay: days }, after) => {
    const rows = await days.findMany({
      where: { teamId, ...(after === undefined ? {} : { day: { gt: new Date(after) } }) },
      omit: { teamId: true },
      orderBy: { day: 'asc' },
      take: ROWS_PER_PAGE,
    });
    return toPage(rows, ({ day }) => day.toISOString());
  },
};

/** Runs and what became of them. Metrics, steps and findings are in the reports. */
export const runKinds: readonly ExportKind[] = [run, report, event, delivery, usageDay];
