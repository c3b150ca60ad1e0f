import { type ByteStringTable } from '../../timeline/byte-string-table';
import { NO_INDEX, type Collective } from '../../timeline/rank-timeline';
import { type EventFields, type Span } from './event-fields';
import { type NameInterner } from './name-interner';

/** Most collectives kept as objects; a long real trace has some ten thousand. */
const MAX_COLLECTIVES = 1 << 20;

/** Arguments of collectives, in the order of the file. */
export class CollectiveList {
  readonly collectives: Collective[] = [];
  /** Collectives beyond the bound: the events are kept, their arguments are not. */
  dropped = 0;

  constructor(
    private readonly strings: ByteStringTable,
    private readonly names: NameInterner,
  ) {}

  /** Index of the collective that the event describes, or NO_INDEX. */
  add(bytes: Uint8Array, fields: EventFields): number {
    if (!fields.isCollective) return NO_INDEX;
    if (this.collectives.length >= MAX_COLLECTIVES) {
      this.dropped++;
      return NO_INDEX;
    }
    const group = fields.groupName.present ? fields.groupName : fields.groupDescription;
    const index = this.collectives.push({
      name: this.text(bytes, fields.collectiveName),
      processGroup: this.text(bytes, group),
      processGroupRanks: this.text(bytes, fields.groupRanks),
      groupSize: finiteOrNull(fields.groupSize),
      inElements: finiteOrNull(fields.inElements),
      outElements: finiteOrNull(fields.outElements),
      dtype: this.text(bytes, fields.dtype),
      sequence: finiteOrNull(fields.collectiveSequence),
      commsId: this.text(bytes, fields.commsId),
    });
    return index - 1;
  }

  private text(bytes: Uint8Array, span: Span): string | null {
    return span.present ? this.strings.get(this.names.intern(bytes, span.start, span.end)) : null;
  }
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
