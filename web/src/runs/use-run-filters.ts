import { type paths } from '../api/schema';
import { startOfDay } from '../filters/start-of-day';
import { useAddressFilters } from '../filters/use-address-filters';

export type RunsQuery = NonNullable<paths['/v1/runs']['get']['parameters']['query']>;

/** What the runs are filtered by; each is a parameter of the address. */
export const FILTERS = ['verdict', 'model', 'cluster', 'branch', 'tag', 'from', 'to'] as const;
export type Filter = (typeof FILTERS)[number];

const RUNS_PER_PAGE = 25;

/** The filters that are in the address, and the question that they ask. */
export function useRunFilters() {
  const { parameters, ...filters } = useAddressFilters(FILTERS);
  return { ...filters, query: toQuery(parameters) };
}

function toQuery(parameters: URLSearchParams): RunsQuery {
  const text = (name: string) => parameters.get(name) ?? undefined;
  const tags = parameters.getAll('tag');
  return {
    limit: RUNS_PER_PAGE,
    cursor: text('cursor'),
    verdict: text('verdict') as RunsQuery['verdict'],
    model: text('model'),
    cluster: text('cluster'),
    branch: text('branch'),
    tag: tags.length > 0 ? tags : undefined,
    createdFrom: startOfDay(text('from'), 0),
    createdTo: startOfDay(text('to'), 1),
  };
}
