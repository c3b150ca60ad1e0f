import { type paths } from '../api/schema';
import { startOfDay } from '../filters/start-of-day';
import { useAddressFilters } from '../filters/use-address-filters';

export type RegressionsQuery = NonNullable<paths['/v1/regressions']['get']['parameters']['query']>;

/** What the regressions are filtered by; each is a parameter of the address. */
const FILTERS = ['state', 'model', 'cluster', 'branch', 'metric', 'assignedTo', 'from', 'to'] as const;
export type Filter = (typeof FILTERS)[number];

const PER_PAGE = 25;

/** The filters that are in the address, and the question that they ask. */
export function useRegressionFilters() {
  const { parameters, ...filters } = useAddressFilters(FILTERS);
  return { ...filters, query: toQuery(parameters) };
}

function toQuery(parameters: URLSearchParams): RegressionsQuery {
  const text = (name: string) => parameters.get(name) ?? undefined;
  return {
    limit: PER_PAGE,
    cursor: text('cursor'),
    state: text('state') as RegressionsQuery['state'],
    model: text('model'),
    cluster: text('cluster'),
    branch: text('branch'),
    metric: text('metric'),
    assignedTo: text('assignedTo'),
    firstBadFrom: startOfDay(text('from'), 0),
    firstBadTo: startOfDay(text('to'), 1),
  };
}
