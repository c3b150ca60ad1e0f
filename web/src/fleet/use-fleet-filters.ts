import { useSearchParams } from 'react-router';
import { startOfDay } from '../filters/start-of-day';
import { type Cause, CAUSES } from './causes';

const FILTERS = ['model', 'cluster', 'from', 'to', 'cause', 'show'] as const;
export type Filter = (typeof FILTERS)[number];

/** What is shown, all of it in the address. */
export function useFleetFilters() {
  const [parameters, setParameters] = useSearchParams();
  const text = (name: Filter) => parameters.get(name) ?? undefined;
  const cause: Cause = CAUSES.find((one) => one === text('cause')) ?? 'all';
  return {
    get: (name: Filter) => parameters.get(name) ?? '',
    cause,
    change: (changes: Partial<Record<Filter, string | null>>) =>
      setParameters((before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value) after.set(name, value);
          else after.delete(name);
        }
        return after;
      }),
    clear: () => setParameters({}),
    isFiltered: FILTERS.some((name) => parameters.has(name)),
    query: {
      model: text('model'),
      cluster: text('cluster'),
      from: startOfDay(text('from'), 0),
      to: startOfDay(text('to'), 1),
    },
  };
}
