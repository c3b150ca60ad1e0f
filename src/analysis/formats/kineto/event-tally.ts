import { type EventFields, type Span } from './event-fields';

const MAX_EXAMPLE_BYTES = 120;
/** Unknown categories remembered for the message of a refusal. */
const MAX_CATEGORIES = 8;

/** Counts what is not kept, with one example of each. */
export class EventTally {
  /** Well-formed events of any kind. */
  events = 0;
  /** Events of a category that the profiler writes. */
  profilerEvents = 0;
  /** Events that no GPU profiler writes: unknown categories, begin and end pairs, counters, samples. */
  foreignEvents = 0;
  unknownCategories = 0;
  readonly categories = new Set<string>();
  otherPhases = 0;
  otherPhaseExample: string | undefined;
  missingFields = 0;
  missingExample: string | undefined;
  negativeDurations = 0;
  implausibleTimes = 0;
  implausibleDurations = 0;
  implausibleDurationExample: string | undefined;
  overLimit = 0;

  /** An event without the field that its use needs. */
  missing(bytes: Uint8Array, fields: EventFields, field: string): void {
    this.missingFields++;
    this.missingExample ??= `${field} of ${nameOf(bytes, fields)}`;
    if (field === 'cat' || field === 'ph') this.foreignEvents++;
  }

  unknownCategory(bytes: Uint8Array, fields: EventFields): void {
    this.unknownCategories++;
    this.foreignEvents++;
    if (this.categories.size < MAX_CATEGORIES) this.categories.add(textOf(bytes, fields.category));
  }

  /** Begin and end pairs, counters, samples, asynchronous ranges. */
  otherPhase(bytes: Uint8Array, fields: EventFields): void {
    this.otherPhases++;
    this.foreignEvents++;
    this.otherPhaseExample ??= `ph ${String.fromCharCode(fields.phase)} of ${nameOf(bytes, fields)}`;
    if (fields.category.present && this.categories.size < MAX_CATEGORIES) {
      this.categories.add(textOf(bytes, fields.category));
    }
  }

  implausibleDuration(bytes: Uint8Array, fields: EventFields): void {
    this.implausibleDurations++;
    this.implausibleDurationExample ??= nameOf(bytes, fields);
  }
}

function nameOf(bytes: Uint8Array, fields: EventFields): string {
  return fields.name.present ? textOf(bytes, fields.name) : 'an event without a name';
}

function textOf(bytes: Uint8Array, span: Span): string {
  return readableText(bytes, span.start, span.end);
}

/** At most 120 bytes as printable text on one line, for examples and messages. */
export function readableText(bytes: Uint8Array, start: number, end: number): string {
  const cut = bytes.slice(start, Math.min(end, start + MAX_EXAMPLE_BYTES));
  for (let i = 0; i < cut.length; i++) if (cut[i] < 0x20 || cut[i] === 0x7f) cut[i] = 0x20;
  return new TextDecoder('utf-8').decode(cut);
}
