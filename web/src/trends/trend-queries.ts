import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { type TrendQuery } from './trend-question';

export type Trend = Schemas['Trend'];

/** New runs appear this often. */
const EVERY_MS = 60_000;

/** The values that are drawn. */
export const trendQuery = (team: string, query: TrendQuery) =>
  queryOptions({
    queryKey: [team, 'trends', query],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/trends', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });

/** Every metric with its unit, its direction and its words. */
export const metricsQuery = (team: string) =>
  queryOptions({
    queryKey: [team, 'metrics-catalogue'],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/metrics-catalogue', { signal })),
    select: ({ items }) => items,
    staleTime: Infinity,
  });

/** A series: what makes its runs comparable, and its branches. */
export const seriesQuery = (team: string, seriesId: string) =>
  queryOptions({
    queryKey: [team, 'series', seriesId],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/series/{id}', { params: { path: { id: seriesId } }, signal })),
    staleTime: EVERY_MS,
  });
