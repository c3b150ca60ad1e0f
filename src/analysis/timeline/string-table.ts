/** Names of events, each kept once and referred to by its index. Index 0 is the empty string. */
export interface StringTable {
  readonly size: number;
  get(id: number): string;
}

/** A fixed table, as the builders of tests make it. */
export class FixedStringTable implements StringTable {
  private readonly ids = new Map<string, number>([['', 0]]);
  private readonly values: string[] = [''];

  get size(): number {
    return this.values.length;
  }

  get(id: number): string {
    return this.values[id] ?? '';
  }

  /** Returns the id of `value`, adding it when it is new. */
  intern(value: string): number {
    let id = this.ids.get(value);
    if (id === undefined) {
      id = this.values.push(value) - 1;
      this.ids.set(value, id);
    }
    return id;
  }
}
