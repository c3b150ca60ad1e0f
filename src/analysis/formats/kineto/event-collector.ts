import { ByteStringTable } from '../../timeline/byte-string-table';
import { type CollectedEvents } from '../../timeline/timeline-builder';
import { DeviceOpKind, HostEventKind, NO_ID } from '../../timeline/rank-timeline';
import { type ReadLimits } from '../artifact-format';
import { MAX_PLAUSIBLE_NS, NS_PER_US } from '../../units/time';
import { Role, roleOf } from './categories';
import { CollectiveList } from './collective-list';
import { DeviceColumns } from '../../timeline/device-columns';
import { type EventFields, type Span } from './event-fields';
import { HostColumns } from '../../timeline/host-columns';
import { MemoryColumns } from '../../timeline/memory-columns';
import { NameInterner } from './name-interner';
import {
  isAnnotationOf2021,
  isStepMarker,
  kindOfNamedKernel,
  isMemoryEvent,
  isThreadName,
} from './known-names';
import { parseNumber } from './number-parsing';
import { EventTally } from './event-tally';
import { ThreadTable } from './thread-table';
import { ValuesKept } from './values-kept';

/** Times beyond this are no microseconds since 1970, and would not be exact. */
const MAX_TIME_US = 2 ** 53;

/** Takes scanned events and keeps those that a timeline is made of, as columns. Counts everything else. */
export class EventCollector {
  readonly strings: ByteStringTable;
  readonly names: NameInterner;
  readonly device = new DeviceColumns();
  readonly host = new HostColumns();
  readonly memory = new MemoryColumns();
  readonly threads = new ThreadTable();
  readonly collectives: CollectiveList;
  readonly tally = new EventTally();
  private readonly valuesKept: ValuesKept;

  constructor(private readonly limits: ReadLimits) {
    this.strings = new ByteStringTable(limits.maxStringBytes);
    this.names = new NameInterner(this.strings);
    this.valuesKept = new ValuesKept(this.strings);
    this.collectives = new CollectiveList(this.strings, this.names);
  }

  /** Takes the event in `fields`, whose spans point into `bytes`. */
  accept(bytes: Uint8Array, fields: EventFields): void {
    this.tally.events++;
    switch (fields.phase) {
      case 0x58 /* X */:
        return this.acceptComplete(bytes, fields);
      case 0x69 /* i */:
      case 0x49 /* I */:
        return this.acceptInstant(bytes, fields);
      case 0x4d /* M */:
        return this.acceptMetadata(bytes, fields);
      case 0x73 /* s */:
      case 0x74 /* t */:
      case 0x66 /* f */:
        return this.acceptFlow(bytes, fields);
      case 0:
        return this.tally.missing(bytes, fields, 'ph');
      default:
        return this.tally.otherPhase(bytes, fields);
    }
  }

  /** Everything that was kept. */
  collected(): CollectedEvents {
    return {
      strings: this.strings,
      device: this.device,
      host: this.host,
      memory: this.memory,
      collectives: this.collectives.collectives,
      threads: this.threads.list(),
      eventsRead: this.tally.events,
    };
  }

  private acceptComplete(bytes: Uint8Array, fields: EventFields): void {
    if (!fields.category.present) return this.tally.missing(bytes, fields, 'cat');
    const role = roleOf(bytes, fields.category.start, fields.category.end);
    if (role < 0) return this.tally.unknownCategory(bytes, fields);
    this.tally.profilerEvents++;
    if (role === Role.ignored || role === Role.instant) return;
    if (!fields.name.present) return this.tally.missing(bytes, fields, 'name');
    if (!this.hasPlausibleTimes(bytes, fields)) return;
    if (this.isFull()) return;
    if (role >= Role.kernel) this.addDeviceOp(bytes, fields, role);
    else this.addHostEvent(bytes, fields, role);
  }

  private hasPlausibleTimes(bytes: Uint8Array, fields: EventFields): boolean {
    const { time, duration } = fields;
    if (Number.isNaN(time.us)) this.tally.missing(bytes, fields, 'ts');
    else if (Number.isNaN(duration.us)) this.tally.missing(bytes, fields, 'dur');
    else if (Math.abs(time.us) > MAX_TIME_US) this.tally.implausibleTimes++;
    else if (duration.us > MAX_PLAUSIBLE_NS / NS_PER_US) this.tally.implausibleDuration(bytes, fields);
    else return true;
    return false;
  }

  private isFull(): boolean {
    if (this.device.count + this.host.count + this.memory.count < this.limits.maxEvents) return false;
    this.tally.overLimit++;
    return true;
  }

  private durationNs(fields: EventFields): number {
    const durationNs = fields.duration.totalNs();
    if (durationNs >= 0) return durationNs;
    this.tally.negativeDurations++;
    return 0;
  }

  private addDeviceOp(bytes: Uint8Array, fields: EventFields, role: number): void {
    const device = this.device;
    const row = device.addRow();
    device.startUs[row] = fields.time.us;
    device.startNs[row] = fields.time.ns;
    device.durationNs[row] = this.durationNs(fields);
    device.nameId[row] = this.names.intern(bytes, fields.name.start, fields.name.end);
    device.kind[row] =
      role === Role.memcpy
        ? DeviceOpKind.memcpy
        : role === Role.memset
          ? DeviceOpKind.memset
          : kindOfNamedKernel(bytes, fields.name.start, fields.name.end);
    device.deviceId[row] = Number.isNaN(fields.device) ? numberIn(bytes, fields.processId) : fields.device;
    device.streamId[row] = Number.isNaN(fields.stream) ? numberIn(bytes, fields.threadId) : fields.stream;
    device.correlationId[row] = toId(fields.correlation);
    device.bytes[row] = fields.bytes;
    device.gridBlocks[row] = fields.gridBlocks;
    device.blockThreads[row] = fields.blockThreads;
    device.collectiveIndex[row] = this.collectives.add(bytes, fields);
  }

  private addHostEvent(bytes: Uint8Array, fields: EventFields, role: number): void {
    const host = this.host;
    const row = host.addRow();
    const { name } = fields;
    host.startUs[row] = fields.time.us;
    host.startNs[row] = fields.time.ns;
    host.durationNs[row] = this.durationNs(fields);
    host.nameId[row] = this.names.intern(bytes, name.start, name.end);
    host.kind[row] = this.hostKind(bytes, fields, role);
    host.threadIndex[row] = this.threads.indexOf(bytes, fields.processId, fields.threadId);
    host.correlationId[row] = toId(fields.correlation);
    host.sequenceNumber[row] = toId(fields.sequenceNumber);
    host.inputDimsId[row] = this.rawText(bytes, fields.inputDims);
    host.inputTypesId[row] = this.rawText(bytes, fields.inputTypes);
    host.inputValuesId[row] = this.valuesKept.has(host.nameId[row])
      ? this.rawText(bytes, fields.inputValues)
      : 0;
    host.collectiveIndex[row] = this.collectives.add(bytes, fields);
  }

  /** In 2021 ranges set by the framework had the category of operators; only their names tell. */
  private hostKind(bytes: Uint8Array, fields: EventFields, role: number): number {
    const { name, category } = fields;
    if (isStepMarker(bytes, name.start, name.end)) return HostEventKind.annotation;
    const is2021 = role === Role.op && bytes[category.start] === 0x4f; /* O of Operator */
    return is2021 && isAnnotationOf2021(bytes, name.start, name.end) ? HostEventKind.annotation : role;
  }

  private acceptInstant(bytes: Uint8Array, fields: EventFields): void {
    const { category, name, time } = fields;
    if (category.present && roleOf(bytes, category.start, category.end) < 0)
      return this.tally.unknownCategory(bytes, fields);
    if (category.present) this.tally.profilerEvents++;
    if (!name.present || !isMemoryEvent(bytes, name.start, name.end)) return;
    if (!category.present) this.tally.profilerEvents++;
    if (Number.isNaN(time.us)) return this.tally.missing(bytes, fields, 'ts');
    if (Math.abs(time.us) > MAX_TIME_US) {
      this.tally.implausibleTimes++;
      return;
    }
    if (this.isFull()) return;
    const row = this.memory.addRow();
    this.memory.startUs[row] = time.us;
    this.memory.startNs[row] = time.ns;
    this.memory.bytes[row] = fields.memoryBytes;
    this.memory.totalAllocatedBytes[row] = fields.totalAllocated;
    this.memory.totalReservedBytes[row] = fields.totalReserved;
    this.memory.deviceType[row] = fields.deviceType >= 0 && fields.deviceType < 255 ? fields.deviceType : 255;
  }

  private acceptMetadata(bytes: Uint8Array, fields: EventFields): void {
    const { name, label, processId, threadId } = fields;
    if (!name.present || !label.present || !isThreadName(bytes, name.start, name.end)) return;
    const labelId = this.names.intern(bytes, label.start, label.end);
    this.threads.setName(bytes, processId, threadId, this.strings.get(labelId));
  }

  private acceptFlow(bytes: Uint8Array, fields: EventFields): void {
    const { category } = fields;
    if (category.present && roleOf(bytes, category.start, category.end) >= 0) this.tally.profilerEvents++;
  }

  private rawText(bytes: Uint8Array, span: Span): number {
    return span.start < 0 ? 0 : this.strings.intern(bytes, span.start, span.end);
  }
}

/** An unsigned id, or NO_ID when it is absent or does not fit. */
function toId(value: number): number {
  return value >= 0 && value < NO_ID && Number.isInteger(value) ? value : NO_ID;
}

/** The number in a process or thread id such as `7` or `stream 7`; -1 when there is none. */
function numberIn(bytes: Uint8Array, span: Span): number {
  if (!span.present) return -1;
  let end = span.end;
  while (end > span.start && !isDigit(bytes[end - 1])) end--;
  let start = end;
  while (start > span.start && isDigit(bytes[start - 1])) start--;
  if (start > span.start && bytes[start - 1] === 0x2d /* - */) start--;
  const value = parseNumber(bytes, start, end);
  return Number.isNaN(value) ? -1 : value;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
