import { useSearchParams } from 'react-router';

/** The filters of a list that are in the address, and ways to change them; a change goes back to the first page. */
export function useAddressFilters<Filter extends string>(filters: readonly Filter[]) {
  const [parameters, setParameters] = useSearchParams();
  const change = (changes: Partial<Record<Filter | 'cursor', string | null>>) =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      after.delete('cursor');
      for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
        if (value) after.set(name, value);
        else after.delete(name);
      }
      return after;
    });
  return {
    get: (filter: Filter) => parameters.get(filter) ?? '',
    change,
    clear: () => setParameters({}),
    isFiltered: filters.some((filter) => parameters.has(filter)),
    cursor: parameters.get('cursor'),
    parameters,
  };
}
