import { useSearchParams } from 'react-router';
import { startOfDay } from '../../filters/start-of-day';
import { type AuditAction, type AuditQuery } from './audit-words';

const FILTERS = ['action', 'actor', 'from', 'to'] as const;
export type AuditFilter = (typeof FILTERS)[number];

const ENTRIES_PER_PAGE = 50;

/** The filters of the audit log that are in the address, and ways to change them; a change goes back to the first page. */
export function useAuditFilters() {
  const [parameters, setParameters] = useSearchParams();
  const text = (name: string) => parameters.get(name) ?? undefined;
  const query: AuditQuery = {
    limit: ENTRIES_PER_PAGE,
    cursor: text('cursor'),
    action: text('action') as AuditAction | undefined,
    actorId: text('actor'),
    from: startOfDay(text('from'), 0),
    to: startOfDay(text('to'), 1),
  };
  return {
    get: (filter: AuditFilter) => parameters.get(filter) ?? '',
    change: (filter: AuditFilter, value: string) =>
      setParameters((before) => {
        const after = new URLSearchParams(before);
        after.delete('cursor');
        if (value) after.set(filter, value);
        else after.delete(filter);
        return after;
      }),
    clear: () => setParameters({}),
    isFiltered: FILTERS.some((filter) => parameters.has(filter)),
    query,
  };
}
