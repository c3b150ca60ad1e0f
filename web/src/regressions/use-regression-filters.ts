import { useSearchParams } from 'react-router';
import { type paths } from '../api/schema';
import { startOfDay } from '../filters/start-of-day';

export type RegressionsQuery = NonNullable<paths['/v1/regressions']['get']['parameters']['query']>;

/** What the regressions are filtered by; each is a parameter of the address. */
const FILTERS = ['state', 'model', 'cluster', 'branch', 'metric', 'assignedTo', 'from', 'to'] as const;
export type Filter = (typeof FILTERS)[number];

const PER_PAGE = 25;

/** The filters that are in the address, and ways to change them; a change goes back to the first page. */
export function useRegressionFilters() {
  const [parameters, setParameters] = useSearchParams();
  const change = (changes: Partial<Record<Filter | 'cursor', string | null>>) =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      after.delete('cursor');
      for (const [name, value] of Object.entries(changes)) {
        if (value) after.set(name, value);
        else after.delete(name);
      }
      return after;
    });
  return {
    get: (filter: Filter) => parameters.get(filter) ?? '',
    change,
    clear: () => setParameters({}),
    isFiltered: FILTERS.some((filter) => parameters.has(filter)),
    cursor: parameters.get('cursor'),
    query: toQuery(parameters),
  };
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
