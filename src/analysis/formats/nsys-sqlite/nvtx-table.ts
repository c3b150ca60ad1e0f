import { HostEventKind } from '../../timeline/rank-timeline';
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
    const bytes = textOf(reader, row);
    if (!bytes) {
      tally.unknownNames++;
      addHostEvent(process, times, HostEventKind.annotation, id.thread, names.unknownId);
      return;
    }
    const { nameEnd, isOperator, sequence, shapes } = parseNvtxText(latin1.decode(bytes));
    const kind = isOperator ? HostEventKind.op : HostEventKind.annotation;
    const at = addHostEvent(process, times, kind, id.thread, names.strings.intern(bytes, 0, nameEnd));
    process.host.sequenceNumber[at] = toId(sequence);
    if (!shapes) return;
    process.host.inputDimsId[at] = names.strings.intern(bytes, ...shapes);
    process.recordShapes = true;
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
