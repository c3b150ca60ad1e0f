/** A map that stops growing at `limit` entries and says how many it turned away. */
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
    const made = make();
    this.entries.set(key, made);
    return made;
  }

  values(): V[] {
    return [...this.entries.values()];
  }
}
