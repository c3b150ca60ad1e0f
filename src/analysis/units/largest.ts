/** The largest of the values that are known; null when there are none. Of any number, where `Math.max(...values)` has an end. */
export function largest(values: Iterable<number | null>): number | null {
  let most: number | null = null;
  for (const value of values) if (value !== null && (most === null || value > most)) most = value;
  return most;
}
