import { queryOptions, useQuery } from '@tanstack/react-query';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';

/** Series that are asked for their names. */
const SERIES = 200;

/** The latest series of a team, those with the latest runs first. */
export const latestSeriesQuery = (team: string) =>
  queryOptions({
    queryKey: [team, 'series', 'latest'],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/series', { params: { query: { limit: SERIES } }, signal })),
    staleTime: 60_000,
  });

/** Models and clusters of the latest series, to choose from. */
export function useKnownNames(team: string): { model: string[]; cluster: string[] } {
  const { data } = useQuery({
    ...latestSeriesQuery(team),
    select: ({ items }) => ({
      model: [...new Set(items.map(({ model }) => model))].sort(),
      cluster: [...new Set(items.map(({ cluster }) => cluster))].sort(),
    }),
  });
  return data ?? { model: [], cluster: [] };
}
