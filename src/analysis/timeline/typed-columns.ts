/** The typed arrays that columns of a timeline are made of. */
export type ColumnArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

/** A copy of `column` with room for `capacity` rows, zero beyond the old ones. */
export function grown<T extends ColumnArray>(column: T, capacity: number): T {
  const larger = new (column.constructor as new (length: number) => T)(capacity);
  larger.set(column);
  return larger;
}

/** The rows of `column` at `order`, in that order. */
export function gathered<T extends ColumnArray>(column: T, order: Uint32Array): T {
  const rows = new (column.constructor as new (length: number) => T)(order.length);
  for (let i = 0; i < order.length; i++) rows[i] = column[order[i]];
  return rows;
}
