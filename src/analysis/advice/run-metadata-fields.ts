import { type RunFacts } from '../attribution/run-facts';

/** A field of the metadata, as written. Its value may be null: the job said "none". */
export interface MetadataField {
  key: string;
  value: unknown;
}

/** The first of `keys` that any rank's metadata has; null when none of them is written. */
export function metadataField({ metadata }: RunFacts, ...keys: string[]): MetadataField | null {
  for (const key of keys) {
    for (const { raw } of metadata) if (Object.hasOwn(raw, key)) return { key, value: raw[key] };
  }
  return null;
}

/** A number of the metadata under the first of `keys` that has one. */
export function metadataNumber({ metadata }: RunFacts, ...keys: string[]): number | null {
  for (const key of keys) {
    for (const { raw } of metadata) {
      const value = raw[key];
      if (typeof value === 'number' && Number.isFinite(value)) return value;
    }
  }
  return null;
}

const OFF_WORDS = new Set(['', 'none', 'off', 'no', 'false', '0', 'disabled', 'null']);

/** Whether a field switches something on: anything but false, null, zero, an empty value or a word for "no". */
export function switchesOn({ value }: MetadataField): boolean {
  if (typeof value === 'string') return !OFF_WORDS.has(value.trim().toLowerCase());
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Peak memory over the capacity of the device, 0 to 1; null when either is not known. */
export function peakMemoryShare(facts: RunFacts): number | null {
  const peaks = facts.metadata.map((m) => m.peakMemoryBytes).filter((v) => v !== null && v > 0) as number[];
  const [device] = facts.deviceRanks.flatMap((r) => r.timeline.metadata.devices);
  const capacity = device?.totalMemoryBytes ?? null;
  return peaks.length > 0 && capacity ? Math.max(...peaks) / capacity : null;
}
