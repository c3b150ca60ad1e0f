import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodSerializerDto } from 'nestjs-zod';
import { METRIC_CATALOG, type MetricEntry } from '../../../../analysis';
import { ProblemError } from '../../../../platform/errors';
import { ApiProblems } from '../../../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../../../teams';
import { sensitivities } from '../../sensitivity';
import { commitColumns, dayLines, runLines } from './trend-lines';
import { trendText } from './trend-text';
import { TrendDto, type TrendQuery, TrendQueryDto } from './trend-schemas';
import { type FoundTrend, TrendRepository } from './trend.repository';

@ApiTags('Trends')
@Controller('v1/trends')
export class TrendController {
  constructor(private readonly trends: TrendRepository) {}

  @Get()
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ApiOperation({
    summary: 'The values of one metric over time, by run, commit or day',
    description:
      'Needs scope runs:read. Filters must all hold. Where there are more runs or commits than limit, daily percentiles are ' +
      'given instead, and resolution says so. Daily values follow new runs within seconds, and outlive runs that retention ' +
      'deletes.',
  })
  // Not ZodResponse, whose type of the answer has no place for one that is text already.
  @ApiOkResponse({ description: 'Lines, and where the level changed.', type: TrendDto.Output })
  @ZodSerializerDto(TrendDto)
  @ApiProblems('validation-failed', 'metric-unknown', 'trend-too-wide')
  async getTrend(@CurrentPrincipal() { teamId, runLimits }: Principal, @Query() query: TrendQueryDto) {
    const metric = METRIC_CATALOG.find(({ id }) => id === query.metric);
    if (!metric) {
      const known = METRIC_CATALOG.map(({ id }) => id).join(', ');
      throw new ProblemError('metric-unknown', `The metrics are ${known}.`);
    }
    const found = await this.trends.find(teamId, query, runLimits);
    const { fragments } = found;
    if (!fragments) return toTrend(query, metric, found, toColumns(query, found));
    const lines = found.lines.map(({ value, series }) => {
      return { ...NOTHING, value, seriesIds: series.map(({ id }) => id) };
    });
    return trendText(toTrend(query, metric, found, lines), fragments);
  }
}

function toTrend<Line extends { seriesIds: string[] }>(
  { by, splitBy }: TrendQuery,
  metric: MetricEntry,
  { lines, days, segments, regressions, settings }: FoundTrend,
  shown: Line[],
) {
  const asked = `${by}s` as const;
  const resolution = days ? ('days' as const) : asked;
  const sensitivity = sensitivities(settings).find((one) => one.metric.id === metric.id);
  const isShown = (id: string) => shown.some(({ seriesIds }) => seriesIds.includes(id));
  return {
    metric,
    noiseFloorRatio: sensitivity?.rules.minChangeRatio ?? 0,
    resolution,
    resolutionReason: resolution === asked ? ('asked-for' as const) : ('more-points-than-limit' as const),
    splitBy,
    lines: shown,
    series: lines.flatMap(({ series }) =>
      series
        .filter(({ id }) => isShown(id))
        .map(({ id, model, cluster, workload, comparability }) => {
          return { id, model, cluster, workload: workload || null, comparability };
        }),
    ),
    segments: segments.filter(({ seriesId }) => isShown(seriesId)),
    regressions: regressions.filter(({ seriesId }) => isShown(seriesId)),
  };
}

const NOTHING = { runs: null, commits: null, days: null };

function toColumns({ by }: TrendQuery, { lines, lanes, days }: FoundTrend): { seriesIds: string[] }[] {
  return days ? toDays(lines, days) : toPoints(lines, lanes ?? [], by === 'commit');
}

function toDays(lines: FoundTrend['lines'], days: NonNullable<FoundTrend['days']>) {
  return dayLines(lines, days).map(({ columns, ...line }) => ({ ...line, ...NOTHING, days: columns }));
}

function toPoints(lines: FoundTrend['lines'], lanes: NonNullable<FoundTrend['lanes']>, byCommit: boolean) {
  return runLines(lines, lanes).map(({ columns, ...line }) => {
    if (byCommit) return { ...line, ...NOTHING, commits: commitColumns(columns) };
    const { atMs, value, runId } = columns;
    return { ...line, ...NOTHING, runs: { atMs, value, runId } };
  });
}
