import { useQuery } from '@tanstack/react-query';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';

/** Series that are asked for their names. */
const SERIES = 200;

/** Models and clusters of the latest series, to choose from. */
export function useKnownNames(team: string): { model: string[]; cluster: string[] } {
  const { data } = useQuery({
    queryKey: [team, 'series', 'names'],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/series', { params: { query: { limit: SERIES } }, signal })),
    select: ({ items }) => ({
      model: [...new Set(items.map(({ model }) => model))].sort(),
      cluster: [...new Set(items.map(({ cluster }) => cluster))].sort(),
    }),
    staleTime: 60_000,
  });
  return data ?? { model: [], cluster: [] };
}
