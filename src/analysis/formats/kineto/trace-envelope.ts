import { type EventCollector } from './event-collector';
import { EventScanner } from './event-scanner';
import { readableText } from './event-tally';
import { type ByteWindow } from './byte-window';
import { endOfKey, INCOMPLETE, malformedPosition, skipColon, skipSpace, skipValue } from './json-skip';
import { asciiText } from './number-parsing';
import { OversizeSkipper } from './oversize-skipper';
import { Resynchronizer } from './resynchronizer';

const EVENTS_KEY = 'traceEvents';
const MAX_KEY_BYTES = 256;
/** Bytes read twice per byte of input before a lost event is no longer searched for events inside it. */
const MAX_REREAD_RATIO = 4;
const FREE_REREAD_BYTES = 1 << 20;

const enum State {
  start,
  members,
  events,
  lostEvent,
  lostMember,
  oversizeEvent,
  oversizeMember,
  afterEnd,
  unusable,
}

/** Receives the values that stand beside the events. */
export interface MemberSink {
  take(key: string, bytes: Uint8Array, start: number, end: number): void;
}

/**
 * Walks the outer shape of a trace, an object with `traceEvents` or a bare array, and hands every event to the
 * collector and every other member to the sink. Works on what the window holds and goes on when it holds more.
 */
export class TraceEnvelope {
  /** Events or parts of the outer shape that made no sense. */
  malformed = 0;
  malformedExample: string | undefined;
  oversized = 0;
  oversizedExample: string | undefined;
  /** False when the first byte begins neither an object nor an array. */
  isJson = true;
  private state: State = State.start;
  private bareArray = false;
  private eventsSeen = false;
  private ended = false;
  private rereadBytes = 0;
  private readonly scanner = new EventScanner();
  private readonly skipper = new OversizeSkipper();
  private readonly resynchronizer = new Resynchronizer();

  constructor(
    private readonly window: ByteWindow,
    private readonly collector: EventCollector,
    private readonly members: MemberSink,
    private readonly maxEventBytes: number,
  ) {}

  /** True when the outer array or object has been closed. */
  get complete(): boolean {
    return this.ended;
  }

  /** True when no more bytes can make it a trace. */
  get unusable(): boolean {
    return this.state === State.unusable;
  }

  /** Reads as far as the window goes; `final` when no more bytes will come. */
  advance(final: boolean): void {
    while (this.step(final));
  }

  /** One step; false when more bytes are needed. */
  private step(final: boolean): boolean {
    switch (this.state) {
      case State.start:
        return this.readStart();
      case State.members:
        return this.readMember();
      case State.events:
        return this.readEvents(final);
      case State.lostEvent:
        return this.findEvent(final);
      case State.lostMember:
        return this.findEventsKey();
      case State.oversizeEvent:
        return this.skipOversize(State.events);
      case State.oversizeMember:
        return this.skipOversize(State.members);
      case State.afterEnd:
        return this.checkRest();
      case State.unusable:
        return false;
    }
  }

  private readStart(): boolean {
    const { bytes, end } = this.window;
    // A byte order mark is not JSON, but some tools write one.
    while (this.window.start < end && (bytes[this.window.start] <= 0x20 || bytes[this.window.start] >= 0x80))
      this.window.start++;
    if (this.window.start >= end) return false;
    const first = bytes[this.window.start++];
    this.bareArray = first === 0x5b; /* [ */
    this.isJson = this.bareArray || first === 0x7b; /* { */
    this.state = !this.isJson ? State.unusable : this.bareArray ? State.events : State.members;
    return true;
  }

  private readMember(): boolean {
    const { bytes, end } = this.window;
    const p = skipSeparators(bytes, this.window.start, end);
    this.window.start = p;
    if (p >= end) return false;
    if (bytes[p] === 0x7d /* } */) return this.end(p);
    if (bytes[p] !== 0x22 /* " */) return this.loseMember(p);
    const keyEnd = endOfKey(bytes, p + 1, end);
    if (keyEnd < 0) return end - p > MAX_KEY_BYTES ? this.loseMember(p) : false;
    const value = skipColon(bytes, keyEnd + 1, end);
    if (value === INCOMPLETE) return end - p > this.maxEventBytes ? this.loseMember(p) : false;
    if (value < 0) return this.loseMember(p);
    const key = asciiText(bytes, p + 1, Math.min(keyEnd, p + MAX_KEY_BYTES));
    if (key === EVENTS_KEY && bytes[value] === 0x5b /* [ */) {
      this.window.start = value + 1;
      this.eventsSeen = true;
      return this.enter(State.events);
    }
    return this.readMemberValue(key, value);
  }

  private readMemberValue(key: string, value: number): boolean {
    const { bytes, end } = this.window;
    const next = skipValue(bytes, value, end);
    if (next < INCOMPLETE) return this.loseMember(value);
    const size = (next === INCOMPLETE ? end : next) - value;
    if (size <= this.maxEventBytes) {
      if (next === INCOMPLETE) return false;
      this.members.take(key, bytes, value, next);
      this.window.start = next;
      return true;
    }
    return this.skipFrom(value, State.oversizeMember);
  }

  private readEvents(final: boolean): boolean {
    const { window, collector, scanner, maxEventBytes } = this;
    const { bytes, end } = window;
    for (;;) {
      const p = skipSeparators(bytes, window.start, end);
      window.start = p;
      if (p >= end) return false;
      if (bytes[p] === 0x5d /* ] */) {
        if (this.bareArray) return this.end(p);
        window.start = p + 1;
        return this.enter(State.members);
      }
      if (bytes[p] !== 0x7b /* { */) return this.loseEvent(p, p);
      const next = scanner.scan(bytes, p, end);
      if (next < INCOMPLETE) return this.loseEvent(p, malformedPosition(next));
      if ((next === INCOMPLETE ? end : next) - p > maxEventBytes)
        return this.skipFrom(p, State.oversizeEvent);
      if (next === INCOMPLETE) return final && this.recoverLast(p);
      collector.accept(bytes, scanner.fields);
      window.start = next;
    }
  }

  /** The last event has no end: either the file was cut, or the event has swallowed others, which are looked for. */
  private recoverLast(p: number): boolean {
    const { bytes, end } = this.window;
    this.resynchronizer.begin(bytes[p]);
    return this.resynchronizer.search(bytes, p + 1, end, true).found && this.loseEvent(p, end);
  }

  private skipFrom(p: number, state: State): boolean {
    this.oversized++;
    this.oversizedExample ??= readableText(this.window.bytes, p, this.window.end);
    this.skipper.begin();
    this.window.start = p;
    return this.enter(state);
  }

  private skipOversize(after: State): boolean {
    const { window, skipper } = this;
    window.start = skipper.skip(window.bytes, window.start, window.end);
    return skipper.done && this.enter(after);
  }

  /** Goes on inside the lost event, so that a missing brace costs one event; or after it, when that gets too dear. */
  private loseEvent(start: number, failedAt: number): boolean {
    const { window } = this;
    this.malformed++;
    this.malformedExample ??= readableText(window.bytes, start, window.end);
    this.rereadBytes += failedAt - start;
    const affordable = this.rereadBytes < FREE_REREAD_BYTES + MAX_REREAD_RATIO * window.totalBytes;
    window.start = affordable ? start + 1 : Math.max(failedAt, start + 1);
    this.resynchronizer.begin(window.bytes[window.start - 1]);
    return this.enter(State.lostEvent);
  }

  private findEvent(final: boolean): boolean {
    const { window } = this;
    const { found, position } = this.resynchronizer.search(window.bytes, window.start, window.end, final);
    window.start = position;
    if (found) this.ended = false;
    return found && this.enter(State.events);
  }

  private loseMember(p: number): boolean {
    if (this.eventsSeen) {
      // Either a broken member, which costs only metadata, or a bracket inside a name was taken for the end of the events.
      this.ended = true;
      return this.loseEvent(p, p);
    }
    this.malformed++;
    this.malformedExample ??= readableText(this.window.bytes, p, this.window.end);
    return this.enter(State.lostMember);
  }

  /** Takes the bracket or brace at `p` for the end of the file. */
  private end(p: number): boolean {
    this.ended = true;
    this.window.start = p + 1;
    return this.enter(State.afterEnd);
  }

  /** Nothing but white space should follow; if something does, the end may have been one inside a name. */
  private checkRest(): boolean {
    const { window } = this;
    const p = skipSpace(window.bytes, window.start, window.end);
    window.start = p;
    return p < window.end && this.loseEvent(p, p);
  }

  /** Looks for `"traceEvents": [` wherever it stands, when the members before it cannot be read. */
  private findEventsKey(): boolean {
    const { window } = this;
    const { bytes, end } = window;
    for (;;) {
      const quote = bytes.indexOf(0x22 /* " */, window.start);
      if (quote < 0 || quote >= end) {
        window.start = end;
        return false;
      }
      window.start = quote;
      if (end - quote < MAX_KEY_BYTES) return false;
      if (asciiText(bytes, quote + 1, quote + 1 + EVENTS_KEY.length) === EVENTS_KEY) {
        const value = skipColon(bytes, quote + EVENTS_KEY.length + 2, end);
        if (value >= 0 && bytes[value] === 0x5b /* [ */) {
          window.start = value + 1;
          this.eventsSeen = true;
          return this.enter(State.events);
        }
      }
      window.start = quote + 1;
    }
  }

  private enter(state: State): true {
    this.state = state;
    return true;
  }
}

/** Commas count as white space between elements: leading, trailing and double ones are known to occur. */
function skipSeparators(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && (bytes[p] <= 0x20 || bytes[p] === 0x2c) /* , */) p++;
  return p;
}
