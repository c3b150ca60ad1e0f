import { type RunFacts } from '../attribution/run-facts';
import { METADATA_ORIGINS, type MetadataOrigin } from '../formats/artifact-format';
import { largest } from '../units/largest';

/** A field of the metadata, as written. Its value may be null: the job said "none". */
export interface MetadataField {
  key: string;
  value: unknown;
  origin: MetadataOrigin;
}

/** The first of `keys` that any rank's metadata has, uploaded before declared; null when none of them is written. */
export function metadataField(facts: RunFacts, ...keys: string[]): MetadataField | null {
  return metadataFields(facts, keys).next().value ?? null;
}

/** A number of the metadata under the first of `keys` that has one. */
export function metadataNumber(facts: RunFacts, ...keys: string[]): number | null {
  for (const { value } of metadataFields(facts, keys)) {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
}

function* metadataFields(
  { metadata }: RunFacts,
  keys: readonly string[],
): Generator<MetadataField, undefined> {
  for (const origin of METADATA_ORIGINS) {
    const sources = metadata.filter((m) => m.origin === origin);
    for (const key of keys) {
      for (const { raw } of sources) if (Object.hasOwn(raw, key)) yield { key, value: raw[key], origin };
    }
  }
}

const OFF_WORDS = new Set(['', 'none', 'off', 'no', 'false', '0', 'disabled', 'null']);

/** Whether a field switches something on: anything but false, null, zero, an empty value or a word for "no". */
export function switchesOn({ value }: MetadataField): boolean {
  if (typeof value === 'string') return !OFF_WORDS.has(value.trim().toLowerCase());
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Most that was allocated on a device, bytes: as the allocator says, else as the job does; null when neither does. */
export function peakMemoryBytes({ evidence, metadata }: RunFacts): number | null {
  return (
    largest((evidence.memory?.devices ?? []).map((d) => d.allocatedPeakBytes)) ||
    largest(metadata.map((m) => m.peakMemoryBytes)) ||
    null
  );
}

/** Peak memory over the capacity of the device, 0 to 1; null when either is not known. */
export function peakMemoryShare(facts: RunFacts): number | null {
  const peak = peakMemoryBytes(facts);
  const [device] = facts.deviceRanks.flatMap((r) => r.timeline.metadata.devices);
  const capacity = device?.totalMemoryBytes ?? null;
  return peak !== null && capacity ? peak / capacity : null;
}
