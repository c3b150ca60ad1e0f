import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { type useFleetFilters } from './use-fleet-filters';

export type Fleet = Schemas['Fleet'];

/** Sums by model, by cluster, and by both: rows, columns and cells of the heat map. */
export interface FleetSums {
  models: Fleet;
  clusters: Fleet;
  pairs: Fleet;
}

const GROUPS = ['model', 'cluster', 'model-and-cluster'] as const;

/** What the heat map is made of, once all of it is there. */
export function useFleet(team: string, query: ReturnType<typeof useFleetFilters>['query']) {
  return useQueries({
    queries: GROUPS.map((groupBy) => ({
      queryKey: [team, 'fleet', groupBy, query],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        unwrap(teamApi(team).GET('/v1/fleet', { params: { query: { ...query, groupBy } }, signal })),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    })),
    combine: (answers) => {
      const [models, clusters, pairs] = answers.map(({ data }) => data);
      return {
        sums: models && clusters && pairs ? { models, clusters, pairs } : undefined,
        error: answers.find(({ error }) => error)?.error ?? null,
        isStale: answers.some(({ isPlaceholderData }) => isPlaceholderData),
        refetch: () => Promise.all(answers.map(({ refetch }) => refetch())),
      };
    },
  });
}
