import { METRIC_CATALOG } from '../../../analysis';
import { type TeamScope } from '../../../platform/database';
import { type EventType, recordEvent } from '../../../platform/events';
import { type Lane } from '../series-state.repository';

/** What is only in the history of a series is no news: a lane whose newest run is older than this tells nothing. */
const NEWS_FOR_MS = 7 * 86_400_000;

const columns = {
  ...{ id: true, state: true, resolution: true, toldState: true, metricId: true, before: true, after: true },
  ...{ changeRatio: true, firstBadRunId: true, firstBadCommit: true, firstBadAt: true, lastGoodCommit: true },
  series: { select: { id: true, model: true, cluster: true, workload: true } },
} as const;

type Told = Awaited<ReturnType<typeof findUntold>>[number];

/**
 * Tells of the regressions of a lane whose state is another one than was told last. A state that came and went in between is
 * not told, nor is that of muted ones: after the mute, what then holds is.
 *
 * @param newestAt time of the newest run of the lane; null when a person changed the state, which is news in any case.
 */
export async function announce(scope: TeamScope, lane: Lane, newestAt: Date | null): Promise<void> {
  if (newestAt && newestAt.getTime() < Date.now() - NEWS_FOR_MS) return;
  for (const regression of await findUntold(scope, lane)) await tell(scope, regression, lane.branch);
}

function findUntold({ teamId, regression }: TeamScope, { seriesId, branch }: Lane) {
  return regression.findMany({
    where: {
      ...{ teamId, seriesId, branch },
      AND: [
        { OR: [{ mutedUntil: null }, { mutedUntil: { lte: new Date() } }] },
        {
          OR: [
            { state: { not: 'resolved' }, toldState: null },
            { state: { not: 'resolved' }, toldState: 'resolved' },
            { state: 'resolved', toldState: 'open' },
          ],
        },
      ],
    },
    orderBy: { id: 'asc' },
    select: columns,
  });
}

async function tell(scope: TeamScope, told: Told, branch: string): Promise<void> {
  const { teamId, regression } = scope;
  const { id, state, toldState, series, metricId, before, after, changeRatio, ...rest } = told;
  const { resolution, firstBadRunId, firstBadCommit, firstBadAt, lastGoodCommit } = rest;
  await recordEvent(scope, {
    type: typeOf(state, toldState),
    runId: await findRunOfLastAct(scope, id),
    data: {
      ...{ regressionId: id, state, resolution, seriesId: series.id },
      ...{
        model: series.model,
        cluster: series.cluster,
        workload: series.workload || null,
        branch: branch || null,
      },
      ...{ metricId, unit: METRIC_CATALOG.find((one) => one.id === metricId)?.unit ?? '' },
      ...{ before, after, changeRatio: before === 0 ? null : changeRatio },
      ...{ firstBadRunId, firstBadCommit, firstBadAt: firstBadAt.toISOString(), lastGoodCommit },
    },
  });
  await regression.updateMany({
    where: { teamId, id },
    data: { toldState: state === 'resolved' ? 'resolved' : 'open' },
  });
}

function typeOf(state: Told['state'], toldState: string | null): EventType {
  if (state === 'resolved') return 'regression.resolved';
  return toldState === null ? 'regression.opened' : 'regression.reopened';
}

/** The run that the detector changed it for last, if it is still there; kept until the event stands. */
async function findRunOfLastAct(
  { teamId, $queryRaw }: TeamScope,
  regressionId: string,
): Promise<string | undefined> {
  const rows = await $queryRaw<{ id: string }[]>`
    SELECT r.id FROM runs r WHERE r.team_id = ${teamId}::uuid AND r.id = (
      SELECT a.run_id FROM regression_acts a
      WHERE a.team_id = ${teamId}::uuid AND a.regression_id = ${regressionId}::uuid AND a.run_id IS NOT NULL
      ORDER BY a.id DESC LIMIT 1)
    FOR KEY SHARE`;
  return rows[0]?.id;
}
