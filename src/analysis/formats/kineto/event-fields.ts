import { ParsedTime } from './number-parsing';

/** A piece of the buffer that is being scanned; `start` is -1 when the field is absent. */
export class Span {
  start = -1;
  end = -1;

  clear(): void {
    this.start = -1;
  }

  get present(): boolean {
    return this.start >= 0;
  }
}

/**
 * What one event says, as positions in the buffer and parsed numbers. One instance is reused for every event, so
 * nothing of it may be kept. Numbers are NaN when absent or not numeric.
 */
export class EventFields {
  /** Character code of a one-letter `ph`; 0 when absent. */
  phase = 0;
  readonly category = new Span();
  readonly name = new Span();
  readonly processId = new Span();
  readonly threadId = new Span();
  readonly time = new ParsedTime();
  readonly duration = new ParsedTime();

  correlation = NaN;
  stream = NaN;
  device = NaN;
  bytes = NaN;
  gridBlocks = NaN;
  blockThreads = NaN;
  sequenceNumber = NaN;
  readonly inputDims = new Span();
  readonly inputTypes = new Span();
  readonly inputValues = new Span();
  /** `args.name` of metadata events: the name of a process or thread. */
  readonly label = new Span();

  /** True when an argument is there that only collectives have. */
  isCollective = false;
  readonly collectiveName = new Span();
  readonly groupName = new Span();
  readonly groupDescription = new Span();
  readonly groupRanks = new Span();
  readonly dtype = new Span();
  readonly commsId = new Span();
  groupSize = NaN;
  inElements = NaN;
  outElements = NaN;
  collectiveSequence = NaN;

  memoryBytes = NaN;
  totalAllocated = NaN;
  totalReserved = NaN;
  deviceType = NaN;

  /** Forgets the previous event. */
  reset(): void {
    this.phase = 0;
    this.category.start = -1;
    this.name.start = -1;
    this.processId.start = -1;
    this.threadId.start = -1;
    this.time.us = NaN;
    this.duration.us = NaN;
    this.resetArgs();
  }

  /** Forgets `args` only; with two `args` in one event the last one counts. */
  resetArgs(): void {
    this.correlation = this.stream = this.device = this.bytes = NaN;
    this.gridBlocks = this.blockThreads = this.sequenceNumber = NaN;
    this.memoryBytes = this.totalAllocated = this.totalReserved = this.deviceType = NaN;
    this.inputDims.start = -1;
    this.inputTypes.start = -1;
    this.inputValues.start = -1;
    this.label.start = -1;
    if (this.isCollective || this.dtype.start >= 0) this.resetCollective();
    this.groupSize = NaN;
    this.collectiveSequence = NaN;
  }

  private resetCollective(): void {
    this.isCollective = false;
    for (const span of [
      this.collectiveName,
      this.groupName,
      this.groupDescription,
      this.groupRanks,
      this.dtype,
      this.commsId,
    ]) {
      span.clear();
    }
    this.inElements = this.outElements = NaN;
  }
}
