import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ZodResponse } from 'nestjs-zod';
import { z } from 'zod';
import { conditionsOfKey, METRIC_CATALOG } from '../../../../analysis';
import { ProblemError } from '../../../../platform/errors';
import { ApiProblems, ContentTag, decodeCursor, encodeCursor } from '../../../../platform/http';
import { CurrentPrincipal, HonoursRunLimits, RequireScope, type Principal } from '../../../teams';
import { SeriesDetailDto, SeriesIdDto, SeriesListQueryDto, SeriesPageDto } from './series-schemas';
import { SeriesRepository, type StoredSeries, type StoredSeriesMetric } from './series.repository';

const placeSchema = z.strictObject({ micros: z.int().min(0), id: z.uuid() });

@ApiTags('Trends')
@Controller('v1/series')
export class SeriesController {
  constructor(private readonly series: SeriesRepository) {}

  @Get()
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ContentTag()
  @ApiOperation({
    summary: 'List the series of the team: runs that are compared with each other',
    description:
      'Needs scope runs:read. Those with the latest runs first. A credential that is limited to models or clusters sees ' +
      'the series within its limits.',
  })
  @ZodResponse({ status: 200, description: 'One page of series.', type: SeriesPageDto })
  @ApiProblems('validation-failed', 'cursor-invalid')
  async listSeries(
    @CurrentPrincipal() { teamId, runLimits }: Principal,
    @Query() { limit, cursor, ...filter }: SeriesListQueryDto,
  ) {
    const { model, cluster, workload, q } = filter;
    const question = [model, cluster, workload, q];
    const after = cursor === undefined ? undefined : decodeCursor(cursor, question, placeSchema);
    // One more than asked for tells whether there is a next page.
    const found = await this.series.list(teamId, { ...filter, limit: limit + 1, after }, runLimits);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    const more = last && found.length > limit ? { micros: last.micros, id: last.id } : undefined;
    return { items: items.map(toSeries), nextCursor: more ? encodeCursor(more, question) : null };
  }

  @Get(':id')
  @RequireScope('runs:read')
  @HonoursRunLimits('handled')
  @ContentTag()
  @ApiOperation({
    summary: 'A series: what makes its runs comparable, its metrics, and where its level changed',
    description: 'Needs scope runs:read. The values of a metric over time are those of GET /v1/trends.',
  })
  @ZodResponse({ status: 200, description: 'The series.', type: SeriesDetailDto })
  @ApiProblems('series-not-found')
  async getSeries(@CurrentPrincipal() { teamId, runLimits }: Principal, @Param() { id }: SeriesIdDto) {
    const found = await this.series.find(teamId, id, runLimits);
    if (!found) throw new ProblemError('series-not-found', 'Your team has no series with this id.');
    const { series, metrics, branches, segments, regressions } = found;
    return {
      ...toSeries(series),
      metrics: inOrder(metrics),
      branches: branches.map((branch) => branch || null),
      segments,
      regressions,
    };
  }
}

function toSeries({ micros: _, ...series }: StoredSeries) {
  return {
    ...series,
    workload: series.workload || null,
    conditions: conditionsOfKey(series.comparability),
    lastRunAt: series.lastRunAt.toISOString(),
    createdAt: series.createdAt.toISOString(),
  };
}

/** In the order of the catalogue; metrics of another release are left out. */
function inOrder(metrics: readonly StoredSeriesMetric[]) {
  return METRIC_CATALOG.flatMap((entry) => {
    const found = metrics.find(({ metricId }) => metricId === entry.id);
    if (!found) return [];
    const { count, firstAt, lastAt, latest } = found;
    return [{ ...entry, count, firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString(), latest }];
  });
}
