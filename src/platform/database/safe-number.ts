/**
 * A BigInt column as a number, for JSON. Byte counts and nanoseconds of the product stay below 2^53 (9 PB, 104 days);
 * throws RangeError rather than lose a digit.
 */
export function toSafeNumber(value: bigint): number;
export function toSafeNumber(value: bigint | null): number | null;
export function toSafeNumber(value: bigint | null): number | null {
  if (value === null) return null;
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${value} does not fit into a number without loss.`);
  return number;
}
