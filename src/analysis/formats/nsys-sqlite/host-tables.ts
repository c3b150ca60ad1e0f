import { HostEventKind, NO_ID, NO_INDEX } from '../../timeline/rank-timeline';
import { slotsOf, Table } from './export-tables';
import { GlobalId } from './global-id';
import { type NsysReader, scanTable, toId } from './nsys-reader';
import { type ProcessEvents } from './process-events';
import { RowTimes } from './row-times';
import { type Row } from './sqlite/row';

const CALL = ['start', 'end', 'globalTid', 'correlationId', 'nameId', 'eventClass'] as const;
const call = slotsOf(CALL);
/** `TRACE_PROCESS_EVENT_CUDABACKTRACE`: the same call again, for its call chain. */
const BACKTRACE_CLASS = 67;

/** Reads calls of the CUDA runtime and driver, and the profiler's own time. */
export function readHostTables(reader: NsysReader): void {
  const { names, tally } = reader;
  readCalls(reader, Table.runtime, HostEventKind.runtime, (row) => {
    const nameId = names.callNameId(row.integer(call.nameId));
    if (nameId < 0) tally.unknownNames++;
    return nameId < 0 ? names.unknownId : nameId;
  });
  for (const table of [Table.cuptiOverhead, Table.profilerOverhead])
    readCalls(reader, table, HostEventKind.overhead, (row) => {
      const nameId = names.nameId(row.integer(call.nameId));
      return nameId < 0 ? names.unknownId : nameId;
    });
}

/** Thread names, for the threads that have events. */
export function readThreadNames(reader: NsysReader): void {
  const id = new GlobalId();
  scanTable(reader, Table.threadNames, ['nameId', 'globalTid'], (row) => {
    if (!id.read(row, 1)) return;
    const process = reader.processes.find(id.process);
    const nameId = process?.hasThread(id.thread) ? reader.names.nameId(row.integer(0)) : -1;
    if (nameId >= 0) process?.threadNames.set(id.thread, reader.names.strings.get(nameId));
  });
}

function readCalls(reader: NsysReader, table: string, kind: number, nameOf: (row: Row) => number): void {
  const { tally } = reader;
  const times = new RowTimes(table, tally);
  const id = new GlobalId();
  scanTable(reader, table, CALL, (row) => {
    if (row.integer(call.eventClass) === BACKTRACE_CLASS) {
      tally.duplicates++;
      return;
    }
    if (!times.read(row)) return;
    const process = processOf(reader, id, row, call.globalTid);
    if (!process || !tally.keep()) return;
    const at = addHostEvent(process, times, kind, id.thread, nameOf(row));
    if (kind === HostEventKind.runtime)
      process.host.correlationId[at] = toId(row.integer(call.correlationId));
  });
}

/** The process of a row of the host; undefined, and counted, when it puts no work on a device. */
export function processOf(
  { processes, tally }: NsysReader,
  id: GlobalId,
  row: Row,
  slot: number,
): ProcessEvents | undefined {
  if (!id.read(row, slot)) id.process = id.thread = 0;
  const process = processes.find(id.process);
  if (!process) tally.otherProcesses++;
  return process;
}

/** Adds an event to the host's columns and returns its row. */
export function addHostEvent(
  process: ProcessEvents,
  times: RowTimes,
  kind: number,
  thread: number,
  nameId: number,
): number {
  const { host } = process;
  const at = host.addRow();
  host.startUs[at] = times.startUs;
  host.startNs[at] = times.startNs;
  host.durationNs[at] = times.durationNs;
  host.nameId[at] = nameId;
  host.kind[at] = kind;
  host.threadIndex[at] = process.threadIndex(thread);
  host.correlationId[at] = NO_ID;
  host.sequenceNumber[at] = NO_ID;
  host.collectiveIndex[at] = NO_INDEX;
  return at;
}
