import { type EventFields, Span } from './event-fields';
import { endOfKey, INCOMPLETE, malformedAt, skipColon, skipSpace, skipValue } from './json-skip';
import { KeyTable } from './key-table';
import { parseNumber } from './number-parsing';
import { productOf, readSpan } from './value-reading';

const enum Arg {
  correlation,
  stream,
  device,
  bytes,
  grid,
  block,
  sequenceNumber,
  inputDims,
  inputDims2021,
  inputTypes,
  inputValues,
  name,
  collectiveName,
  inElements,
  outElements,
  dtype,
  groupSize,
  groupName,
  groupDescription,
  groupRanks,
  sequence,
  commsId,
  memoryBytes,
  totalAllocated,
  totalReserved,
  deviceType,
}

/** In the order of `Arg`. */
const ARGS = new KeyTable([
  'correlation',
  'stream',
  'device',
  'bytes',
  'grid',
  'block',
  'Sequence number',
  'Input Dims',
  'Input dims',
  'Input type',
  'Concrete Inputs',
  'name',
  'Collective name',
  'In msg nelems',
  'Out msg nelems',
  'dtype',
  'Group size',
  'Process Group Name',
  'Process Group Description',
  'Process Group Ranks',
  'Seq',
  'Comms Id',
  'Bytes',
  'Total Allocated',
  'Total Reserved',
  'Device Type',
]);

/** Reads the `args` object of an event. One per reader: it holds a scratch span. */
export class ArgsScanner {
  private readonly token = new Span();

  /** Reads the object whose opening brace is before `p`; returns the position after its end, or a negative status. */
  scan(bytes: Uint8Array, p: number, end: number, fields: EventFields): number {
    for (;;) {
      p = skipSpace(bytes, p, end);
      if (p >= end) return INCOMPLETE;
      const c = bytes[p];
      if (c === 0x2c /* , */) {
        p++;
        continue;
      }
      if (c === 0x7d /* } */) return p + 1;
      if (c !== 0x22 /* " */) return malformedAt(p);
      const keyStart = p + 1;
      const keyEnd = endOfKey(bytes, keyStart, end);
      if (keyEnd < 0) return keyEnd;
      p = skipColon(bytes, keyEnd + 1, end);
      if (p < 0) return p;
      p = this.scanValue(ARGS.find(bytes, keyStart, keyEnd), bytes, p, end, fields);
      if (p < 0) return p;
    }
  }

  private scanValue(arg: Arg | -1, bytes: Uint8Array, p: number, end: number, fields: EventFields): number {
    switch (arg) {
      case -1:
        return skipValue(bytes, p, end);
      case Arg.inputDims:
      case Arg.inputDims2021:
        return readSpan(bytes, p, end, fields.inputDims);
      case Arg.inputTypes:
        return readSpan(bytes, p, end, fields.inputTypes);
      case Arg.inputValues:
        return readSpan(bytes, p, end, fields.inputValues);
      case Arg.name:
        return readSpan(bytes, p, end, fields.label);
      case Arg.dtype:
        return readSpan(bytes, p, end, fields.dtype);
      case Arg.collectiveName:
        return this.collectiveText(bytes, p, end, fields, fields.collectiveName);
      case Arg.groupName:
        return this.collectiveText(bytes, p, end, fields, fields.groupName);
      case Arg.groupDescription:
        return this.collectiveText(bytes, p, end, fields, fields.groupDescription);
      case Arg.groupRanks:
        return this.collectiveText(bytes, p, end, fields, fields.groupRanks);
      case Arg.commsId:
        return this.collectiveText(bytes, p, end, fields, fields.commsId);
      default:
        return this.scanNumber(arg, bytes, p, end, fields);
    }
  }

  private collectiveText(bytes: Uint8Array, p: number, end: number, fields: EventFields, span: Span): number {
    fields.isCollective = true;
    return readSpan(bytes, p, end, span);
  }

  private scanNumber(arg: Arg, bytes: Uint8Array, p: number, end: number, fields: EventFields): number {
    const token = this.token;
    p = readSpan(bytes, p, end, token);
    if (p < 0) return p;
    if (arg === Arg.grid) fields.gridBlocks = productOf(bytes, token.start, token.end);
    else if (arg === Arg.block) fields.blockThreads = productOf(bytes, token.start, token.end);
    else setNumber(arg, parseNumber(bytes, token.start, token.end), fields);
    return p;
  }
}

function setNumber(arg: Arg, value: number, fields: EventFields): void {
  switch (arg) {
    case Arg.correlation:
      fields.correlation = value;
      break;
    case Arg.stream:
      fields.stream = value;
      break;
    case Arg.device:
      fields.device = value;
      break;
    case Arg.bytes:
      fields.bytes = value;
      break;
    case Arg.sequenceNumber:
      fields.sequenceNumber = value;
      break;
    case Arg.inElements:
      fields.isCollective = true;
      fields.inElements = value;
      break;
    case Arg.outElements:
      fields.isCollective = true;
      fields.outElements = value;
      break;
    case Arg.groupSize:
      fields.groupSize = value;
      break;
    case Arg.sequence:
      fields.collectiveSequence = value;
      break;
    case Arg.memoryBytes:
      fields.memoryBytes = value;
      break;
    case Arg.totalAllocated:
      fields.totalAllocated = value;
      break;
    case Arg.totalReserved:
      fields.totalReserved = value;
      break;
    case Arg.deviceType:
      fields.deviceType = value;
      break;
    default: // the arguments that are read as text
  }
}
