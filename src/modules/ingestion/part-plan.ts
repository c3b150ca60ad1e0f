/** How an artifact is cut into parts. Part n (from 1) has `sizeOf(n)` bytes; all but the last have `partSizeBytes`. */
export interface PartPlan {
  partSizeBytes: number;
  partCount: number;
}

/** S3 takes at most so many parts. */
const MAX_PARTS = 10_000;
/** Larger parts would cost a client too much when one fails; also what the column of the part size holds. */
const MAX_PART_BYTES = 2 ** 30;
const MIB = 2 ** 20;

/**
 * Parts of the preferred size, or as many MiB larger as it takes for 10,000 parts to suffice.
 *
 * @param sizeBytes size of the artifact, 1 or more.
 */
export function planParts(sizeBytes: number, preferredPartBytes: number): PartPlan {
  const needed = Math.ceil(sizeBytes / MAX_PARTS / MIB) * MIB;
  const partSizeBytes = Math.max(Math.min(preferredPartBytes, MAX_PART_BYTES), needed);
  return { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) };
}

/** Size of one part, counted from 1; throws RangeError for a part that the artifact does not have. */
export function partSize(sizeBytes: number, partSizeBytes: number, partNumber: number): number {
  const start = (partNumber - 1) * partSizeBytes;
  if (partNumber < 1 || start >= sizeBytes) throw new RangeError(`there is no part ${partNumber}`);
  return Math.min(partSizeBytes, sizeBytes - start);
}

/** What the object store has, against what it should have. */
export interface PartCheck {
  /** Parts that are not there. */
  missing: number[];
  /** Bytes in the parts that are there and belong to the plan. */
  presentBytes: number;
}

/** Compares stored parts with the plan. Parts beyond the plan are left out: completing the upload drops them. */
export function checkParts(
  sizeBytes: number,
  partSizeBytes: number,
  stored: readonly { partNumber: number; sizeBytes: number }[],
): PartCheck {
  const sizes = new Map(stored.map((part) => [part.partNumber, part.sizeBytes]));
  const missing: number[] = [];
  let presentBytes = 0;
  for (let part = 1; part <= Math.ceil(sizeBytes / partSizeBytes); part++) {
    const size = sizes.get(part);
    if (size === undefined) missing.push(part);
    else presentBytes += size;
  }
  return { missing, presentBytes };
}

/** Part numbers for a person: "2, 5–9, 11", cut after a few ranges. */
export function describeParts(numbers: readonly number[], maxRanges = 8): string {
  const ranges: [number, number][] = [];
  for (const n of numbers) {
    const last = ranges.at(-1);
    if (last && n === last[1] + 1) last[1] = n;
    else ranges.push([n, n]);
  }
  const shown = ranges.slice(0, maxRanges).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return shown.join(', ') + (ranges.length > maxRanges ? ', …' : '');
}
