import { type OptionId, type OptionNote, type OptionReport } from '../option-schema';
import { type Values } from '../values';
import { type MetadataField } from '../run-metadata-fields';
import { type HostName, type TraceEvidence } from '../trace-evidence';

/** How one option is recognised. Options are independent of each other. */
export interface OptionReader {
  id: OptionId;
  read(evidence: TraceEvidence): Omit<OptionReport, 'option'>;
}

export function defineOption(reader: OptionReader): OptionReader {
  return reader;
}

/** Longest name that a report repeats. */
const MAX_CHARS = 160;

export function fromTrace(found: Pick<HostName, 'name' | 'count'>): OptionReport['evidence'][number] {
  return { source: 'trace', what: found.name.slice(0, MAX_CHARS), count: found.count };
}

export function fromMetadata({ key, value, origin }: MetadataField): OptionReport['evidence'][number] {
  const source = origin === 'uploaded' ? 'metadata' : 'declared';
  return { source, what: `${key}=${JSON.stringify(value)}`.slice(0, MAX_CHARS), count: null };
}

/** Evidence of those that were found. */
export function evidenceOf(
  metadata: MetadataField | null,
  ...found: (Pick<HostName, 'name' | 'count'> | null)[]
): OptionReport['evidence'] {
  return [...(metadata ? [fromMetadata(metadata)] : []), ...found.flatMap((f) => (f ? [fromTrace(f)] : []))];
}

interface Details {
  form?: string | null;
  evidence?: OptionReport['evidence'];
  costNs?: number | null;
  actsOnNs?: number | null;
  values?: Values;
}

/** An answer of a reader; times are rounded to whole ns. */
export function answer(
  state: OptionReport['state'],
  note: OptionNote,
  { form = null, evidence = [], costNs = null, actsOnNs = null, values = {} }: Details = {},
): Omit<OptionReport, 'option'> {
  return {
    state,
    form,
    evidence,
    costNs: costNs === null ? null : Math.round(costNs),
    actsOnNs: actsOnNs === null ? null : Math.round(actsOnNs),
    note: { id: note, values },
  };
}

/** Share of the mean step that a time takes, 0 to 1; null without a step. */
export function shareOfStep({ facts }: TraceEvidence, timeNs: number | null): number | null {
  return facts.step && facts.step.wallNs > 0 && timeNs !== null ? timeNs / facts.step.wallNs : null;
}
