import { HostEventKind, NO_ID } from '../../timeline/rank-timeline';
import { slotsOf, Table } from './export-tables';
import { GlobalId } from './global-id';
import { addHostEvent, processOf } from './host-tables';
import { type NsysReader, scanTable, toId } from './nsys-reader';
import { parseNvtxText } from './nvtx-text';
import { RowTimes } from './row-times';
import { type Row } from './sqlite/row';

const NVTX = ['start', 'end', 'globalTid', 'eventType', 'text', 'textId'] as const;
const nvtx = slotsOf(NVTX);

/** `NvtxPushPopRange`, `NvtxStartEndRange`, and the same of the text form. */
const RANGES = new Set([59, 60, 70, 71]);
/** `NvtxThread`: the name of a thread; an MPI says its rank there. */
const THREAD_NAMES = new Set([39, 72]);
const MPI_RANK = /^MPI Rank (\d{1,7})$/;

/** Reads NVTX ranges: operators that `emit_nvtx` wrote, and ranges that people and libraries set. */
export function readNvtx(reader: NsysReader): void {
  const { tally, names } = reader;
  const times = new RowTimes(Table.nvtx, tally);
  const id = new GlobalId();
  // One character a byte, so that positions in the text are positions in the bytes.
  const latin1 = new TextDecoder('latin1');
  const ranges = new RangeTexts(reader, latin1);
  scanTable(reader, Table.nvtx, NVTX, (row) => {
    const eventType = row.integer(nvtx.eventType);
    if (THREAD_NAMES.has(eventType)) return takeThreadName(reader, id, row, latin1);
    if (!RANGES.has(eventType)) {
      tally.unusedRows++;
      return;
    }
    if (row.isAbsent(nvtx.end)) {
      tally.openRanges++;
      return;
    }
    if (!times.read(row)) return;
    const process = processOf(reader, id, row, nvtx.globalTid);
    if (!process || !tally.keep()) return;
    const range = ranges.of(row);
    if (!range) tally.unknownNames++;
    const { kind, nameId, sequence, shapesId } = range ?? UNNAMED;
    const at = addHostEvent(process, times, kind, id.thread, range ? nameId : names.unknownId);
    process.host.sequenceNumber[at] = sequence;
    process.host.inputDimsId[at] = shapesId;
    if (shapesId !== 0) process.recordShapes = true;
  });
}

function takeThreadName(
  reader: NsysReader,
  id: GlobalId,
  row: Row,
  latin1: InstanceType<typeof TextDecoder>,
): void {
  const process = processOf(reader, id, row, nvtx.globalTid);
  const rank = MPI_RANK.exec(latin1.decode(textOf(reader, row) ?? new Uint8Array(0)))?.[1];
  if (process && rank !== undefined) process.rank = Number(rank);
}

/** The text itself, or that of the registered string; null when the file has neither. */
function textOf({ names }: NsysReader, row: Row): Uint8Array | null {
  return row.text(nvtx.text) ?? names.textOf(row.integer(nvtx.textId));
}

/** What a range is, by its text. */
interface Range {
  kind: number;
  nameId: number;
  sequence: number;
  shapesId: number;
}

const UNNAMED: Range = { kind: HostEventKind.annotation, nameId: 0, sequence: NO_ID, shapesId: 0 };
/** Registered texts remembered at a time. */
const MAX_REMEMBERED = 1 << 16;

/** Reads the texts of ranges, registered ones once. */
class RangeTexts {
  private readonly registered = new Map<number, Range | null>();

  constructor(
    private readonly reader: NsysReader,
    private readonly latin1: InstanceType<typeof TextDecoder>,
  ) {}

  /** What the range of this row is; null when the file has no text of it. */
  of(row: Row): Range | null {
    const text = row.text(nvtx.text);
    if (text) return this.read(text);
    const textId = row.integer(nvtx.textId);
    let range = this.registered.get(textId);
    if (range !== undefined) return range;
    const bytes = this.reader.names.textOf(textId);
    range = bytes && this.read(bytes);
    if (this.registered.size >= MAX_REMEMBERED) this.registered.clear();
    this.registered.set(textId, range);
    return range;
  }

  private read(bytes: Uint8Array): Range {
    const { names } = this.reader;
    const { nameEnd, isOperator, sequence, shapes } = parseNvtxText(this.latin1.decode(bytes));
    return {
      kind: isOperator ? HostEventKind.op : HostEventKind.annotation,
      nameId: names.internBytes(bytes, nameEnd),
      sequence: toId(sequence),
      shapesId: shapes ? names.strings.intern(bytes, ...shapes) : 0,
    };
  }
}
