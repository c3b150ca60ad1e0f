import { ownText } from '../own-text';

/** A map that stops growing at `limit` entries and says how many it turned away. What it keeps is copied from the lines. */
export class BoundedMap<V> {
  private readonly entries = new Map<string, V>();
  turnedAway = 0;

  constructor(private readonly limit: number) {}

  /** The value under `key`, made when it is new; null when the map is full. */
  at(key: string, make: () => V): V | null {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    if (this.entries.size >= this.limit) {
      this.turnedAway++;
      return null;
    }
    const made = structuredClone(make());
    this.entries.set(ownText(key), made);
    return made;
  }

  values(): V[] {
    return [...this.entries.values()];
  }
}
