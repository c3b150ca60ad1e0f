import { Injectable } from '@nestjs/common';
import { ProblemError } from '../../../../platform/errors';
import { Database, type TeamScope } from '../../../../platform/database';
import { type RunLimits } from '../../../teams';
import { loadSettings } from '../../series-state.repository';
import { listRegressionMarks, listSegments } from '../marks.repository';
import { listDays, listDaysOfPoints, type TrendDay } from './trend-days.repository';
import { type LineOfSeries, linesOfSeries } from './trend-lines';
import { listPoints, type PointLane } from './trend-points.repository';
import { type TrendQuery } from './trend-schemas';
import { findTrendSeries } from './trend-series.repository';

/** Series of one answer. */
const MOST_SERIES = 500;

/** What a trend is drawn from: points, or days where there are too many of them. */
export interface FoundTrend {
  lines: LineOfSeries[];
  lanes: PointLane[] | null;
  days: TrendDay[] | null;
  segments: Awaited<ReturnType<typeof listSegments>>;
  regressions: Awaited<ReturnType<typeof listRegressionMarks>>;
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
        segments: await listSegments(scope, range),
        regressions: await listRegressionMarks(scope, range, { metricId: query.metric }),
        settings: await loadSettings(scope),
      };
    });
  }
}

async function findValues(
  scope: TeamScope,
  { by, branch, tag, from, to, splitBy, limit, runIds }: TrendQuery,
  lines: readonly LineOfSeries[],
): Promise<Pick<FoundTrend, 'lanes' | 'days'>> {
  const numbered = lines.flatMap(({ series }, line) =>
    series.map(({ seriesMetricId }) => ({ seriesMetricId, line })),
  );
  if (numbered.length === 0) return by === 'day' ? { lanes: null, days: [] } : { lanes: [], days: null };
  const seriesMetricIds = numbered.map(({ seriesMetricId }) => seriesMetricId);
  const range = { seriesMetricIds, branch, tag, from, to, byBranch: splitBy === 'branch', limit };
  if (by !== 'day') {
    const lanes = await listPoints(scope, {
      ...range,
      withCommits: by === 'commit',
      withRunIds: runIds || by === 'commit',
    });
    const points = lanes.reduce((sum, { atMs }) => sum + atMs.length, 0);
    if (points <= limit) return { lanes, days: null };
  }
  const request = { ...range, lines: numbered.map(({ line }) => line) };
  const days = await (tag === undefined ? listDays : listDaysOfPoints)(scope, request);
  if (!days) throw tooWide('more values than days are made from');
  if (days.length > limit) throw tooWide(`more than ${limit} days over all lines`);
  return { lanes: null, days };
}

function tooWide(what: string): ProblemError {
  return new ProblemError('trend-too-wide', `The question covers ${what}.`);
}
