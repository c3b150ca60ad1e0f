import { Injectable } from '@nestjs/common';
import { ProblemError } from '../../../../platform/errors';
import { Database, type TeamScope } from '../../../../platform/database';
import { type RunLimits } from '../../../teams';
import { loadSettings } from '../../series-state.repository';
import { listMarks } from '../marks.repository';
import { listDays, listDaysOfPoints, type TrendDay } from './trend-days.repository';
import { listFragments, type RunFragment } from './packed-runs.repository';
import { type LineOfSeries, linesOfSeries } from './trend-lines';
import { listPoints, type PointLane } from './trend-points.repository';
import { type TrendQuery } from './trend-schemas';
import { findTrendSeries } from './trend-series.repository';

/** Series of one answer. */
const MOST_SERIES = 500;

/** What a trend is drawn from: runs of the one line as text, points, or days where there are too many of them. */
export interface FoundTrend extends Awaited<ReturnType<typeof listMarks>> {
  lines: LineOfSeries[];
  fragments: RunFragment[] | null;
  lanes: PointLane[] | null;
  days: TrendDay[] | null;
  settings: Awaited<ReturnType<typeof loadSettings>>;
}

/** The values of one metric over many runs. */
@Injectable()
export class TrendRepository {
  constructor(private readonly database: Database) {}

  /** `limits` are those of the credential. Throws `trend-too-wide`. */
  async find(teamId: string, query: TrendQuery, limits: RunLimits | undefined): Promise<FoundTrend> {
    return this.database.forTeam(teamId, async (scope) => {
      const { seriesId, model, cluster, workload, gpu, branch, from, to } = query;
      const filter = { seriesId, model, cluster, workload, gpu };
      const series = await findTrendSeries(scope, query.metric, filter, limits, MOST_SERIES + 1);
      if (series.length > MOST_SERIES) throw tooWide(`more than ${MOST_SERIES} series`);
      const lines = linesOfSeries(series, query.splitBy);
      const range = { seriesIds: series.map(({ id }) => id), branch, from, to };
      return {
        lines,
        ...(await findValues(scope, query, lines)),
        ...(await listMarks(scope, range, { metricId: query.metric })),
        settings: await loadSettings(scope),
      };
    });
  }
}

const NOTHING = { fragments: null, lanes: null, days: null };

type Values = Pick<FoundTrend, 'fragments' | 'lanes' | 'days'>;

async function findValues(
  scope: TeamScope,
  query: TrendQuery,
  lines: readonly LineOfSeries[],
): Promise<Values> {
  const { by, branch, tag, from, to, splitBy, limit, runIds } = query;
  const numbered = lines.flatMap(({ series }, line) =>
    series.map(({ seriesMetricId }) => ({ seriesMetricId, line })),
  );
  if (numbered.length === 0) return by === 'day' ? { ...NOTHING, days: [] } : { ...NOTHING, lanes: [] };
  const seriesMetricIds = numbered.map(({ seriesMetricId }) => seriesMetricId);
  const range = { seriesMetricIds, branch, tag, from, to, byBranch: splitBy === 'branch', limit };
  if (by !== 'day') {
    const fragments = await findFragments(scope, query, lines);
    if (fragments && countRuns(fragments) <= limit) return { ...NOTHING, fragments };
    const lanes = await listPoints(scope, {
      ...range,
      withCommits: by === 'commit',
      withRunIds: runIds || by === 'commit',
    });
    const points = lanes.reduce((sum, { atMs }) => sum + atMs.length, 0);
    if (points <= limit) return { ...NOTHING, lanes };
  }
  const request = { ...range, lines: numbered.map(({ line }) => line) };
  const days = await (tag === undefined ? listDays : listDaysOfPoints)(scope, request);
  if (!days) throw tooWide('more values than days are made from');
  if (days.length > limit) throw tooWide(`more than ${limit} days over all lines`);
  return { ...NOTHING, days };
}

/** Where the answer is one branch of one series, its runs need not be taken apart. */
async function findFragments(
  scope: TeamScope,
  { by, branch, tag, from, to, splitBy, limit, runIds }: TrendQuery,
  lines: readonly LineOfSeries[],
): Promise<RunFragment[] | undefined> {
  const [one, ...others] = lines.flatMap(({ series }) => series);
  const isPlain = by === 'run' && splitBy !== 'branch' && tag === undefined && others.length === 0;
  if (!isPlain || branch === undefined) return undefined;
  const { id: seriesId, seriesMetricId } = one;
  return listFragments(scope, { seriesId, seriesMetricId, branch, from, to, limit, withRunIds: runIds });
}

const countRuns = (fragments: readonly RunFragment[]) => fragments.reduce((sum, { runs }) => sum + runs, 0);

function tooWide(what: string): ProblemError {
  return new ProblemError('trend-too-wide', `The question covers ${what}.`);
}
