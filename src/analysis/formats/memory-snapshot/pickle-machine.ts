import { Memo } from './memo';
import { ARGUMENT_BYTES, Opcode, REFUSED_NAMES } from './opcodes';
import { type TextTable } from './text-table';
import { OpenDict, SummedList, type Value } from './values';

/** What dicts and lists are worth; called as soon as their content has come. */
export interface PickleShapes {
  /** What stands for a dict with these entries; `owner` is the list that it comes right after or into. */
  dictOf(entries: ReadonlyMap<string, Value>, owner: Value): Value;
  append(list: SummedList, item: Value): void;
}

/** Longest text that is kept; longer ones are passed over and count as unknown. */
const MAX_TEXT_BYTES = 1 << 16;
/** Values, and runs of them, that may be open at once; pickles write a list a thousand items at a time. */
const MAX_OPEN = 1 << 16;
/** Back references of a file of more than two gigabytes. */
const MAX_MEMO = 1 << 26;
const MAX_PROTOCOL = 5;

/**
 * Runs the opcodes of a pickle of plain data as its bytes come, and keeps sums instead of objects. It can make nothing but
 * dicts, lists, tuples, texts, numbers, booleans and None.
 */
export class PickleMachine {
  /** STOP was read. */
  done = false;
  oversizedTexts = 0;
  private rest = new Uint8Array(0);
  private skipBytes = 0;
  private readonly stack: Value[] = [];
  private readonly marks: number[] = [];
  private readonly memo = new Memo();
  private readonly entries = new Map<string, Value>();
  private readonly decoder = new TextDecoder('utf-8');
  private lastOwner: Value = null;

  /** `refuse` throws; it gets what is wrong. */
  constructor(
    private readonly shapes: PickleShapes,
    private readonly texts: TextTable,
    private readonly refuse: (why: string) => never,
  ) {}

  /** Lists that are still open after a key, outermost first: what a file that ends early leaves of the key's value. */
  openListsAfter(key: string): SummedList[] {
    const start = this.stack.indexOf(key);
    return start < 0 ? [] : this.stack.slice(start).filter((value) => value instanceof SummedList);
  }

  feed(chunk: Uint8Array): void {
    const skipped = Math.min(this.skipBytes, chunk.length);
    this.skipBytes -= skipped;
    let bytes = chunk.subarray(skipped);
    if (this.rest.length > 0) {
      bytes = new Uint8Array(this.rest.length + chunk.length - skipped);
      bytes.set(this.rest);
      bytes.set(chunk.subarray(skipped), this.rest.length);
    }
    this.rest = bytes.slice(this.run(bytes));
  }

  /** Runs all opcodes that are there whole; returns where it stopped. */
  private run(bytes: Uint8Array): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (at < bytes.length && !this.done) {
      const opcode = bytes[at];
      const argument = at + 1;
      const argumentBytes = ARGUMENT_BYTES[opcode];
      if (argumentBytes === 255) this.refuseOpcode(opcode);
      let next = argument + argumentBytes;
      if (next > bytes.length) return at;
      switch (opcode) {
        case Opcode.binGet:
          this.get(bytes[argument]);
          break;
        case Opcode.longBinGet:
          this.get(view.getUint32(argument, true));
          break;
        case Opcode.memoize:
          this.put(this.memo.length);
          break;
        case Opcode.binPut:
          this.put(bytes[argument]);
          break;
        case Opcode.longBinPut:
          this.put(view.getUint32(argument, true));
          break;
        case Opcode.binInt:
          this.push(view.getInt32(argument, true));
          break;
        case Opcode.binInt1:
          this.push(bytes[argument]);
          break;
        case Opcode.binInt2:
          this.push(view.getUint16(argument, true));
          break;
        case Opcode.binFloat:
          this.push(view.getFloat64(argument, false));
          break;
        case Opcode.long1:
          next += bytes[argument];
          if (next > bytes.length) return at;
          this.push(signedInteger(bytes, argument + 1, next));
          break;
        case Opcode.shortBinUnicode:
        case Opcode.binUnicode:
        case Opcode.binUnicode8: {
          const sizeBytes = lengthAt(view, argument, argumentBytes);
          if (sizeBytes > MAX_TEXT_BYTES) {
            this.oversizedTexts++;
            this.push(null);
            this.skipBytes = Math.max(0, next + sizeBytes - bytes.length);
            next = Math.min(bytes.length, next + sizeBytes);
          } else {
            next += sizeBytes;
            if (next > bytes.length) return at;
            this.push(this.texts.keep(this.decoder.decode(bytes.subarray(next - sizeBytes, next))));
          }
          break;
        }
        case Opcode.proto:
          if (bytes[argument] > MAX_PROTOCOL) this.refuse(`it is of pickle protocol ${bytes[argument]}`);
          break;
        case Opcode.frame:
          break;
        default:
          this.runPlain(opcode);
      }
      at = next;
    }
    return at;
  }

  /** Opcodes without an argument. */
  private runPlain(opcode: number): void {
    switch (opcode) {
      case Opcode.mark:
        if (this.marks.length >= MAX_OPEN) this.refuse('it is nested too deep');
        this.marks.push(this.stack.length);
        break;
      case Opcode.emptyDict:
        this.push(new OpenDict());
        break;
      case Opcode.emptyList:
        this.push(new SummedList());
        break;
      case Opcode.setItems:
        this.setItems(this.popMark());
        break;
      case Opcode.setItem:
        this.setItems(this.stack.length - 2);
        break;
      case Opcode.appends:
        this.appendItems(this.popMark());
        break;
      case Opcode.append:
        this.appendItems(this.stack.length - 1);
        break;
      case Opcode.none:
      case Opcode.emptyTuple:
        this.push(null);
        break;
      case Opcode.newTrue:
      case Opcode.newFalse:
        this.push(opcode === Opcode.newTrue);
        break;
      case Opcode.tuple:
        this.tuple(this.popMark());
        break;
      case Opcode.tuple1:
      case Opcode.tuple2:
      case Opcode.tuple3:
        this.tuple(this.stack.length - (opcode - Opcode.tuple1 + 1));
        break;
      case Opcode.stop:
        this.done = true;
        break;
      default:
        this.refuseOpcode(opcode);
    }
  }

  private push(value: Value): void {
    if (this.stack.length >= MAX_OPEN) this.refuse(`more than ${MAX_OPEN} values are open at once`);
    this.stack.push(value);
  }

  private get(index: number): void {
    if (index >= this.memo.length) this.refuse('it refers to something that it does not hold');
    this.push(this.memo.get(index));
  }

  private put(index: number): void {
    if (index > this.memo.length || this.stack.length === 0) this.refuse('its references are out of order');
    if (index >= MAX_MEMO) this.refuse(`it holds more than ${MAX_MEMO} values that may be referred to`);
    const value = this.stack[this.stack.length - 1];
    if (value instanceof OpenDict || value instanceof SummedList) value.slot = index;
    this.memo.set(index, value instanceof SummedList ? value.stack : value);
  }

  private popMark(): number {
    return this.marks.pop() ?? this.refuse('its items have no beginning');
  }

  /** Where the innermost open run begins. */
  private get runStart(): number {
    return this.marks[this.marks.length - 1] ?? 0;
  }

  /** Texts are the only keys that anybody asks for. */
  private setItems(start: number): void {
    const { stack, entries } = this;
    const top = start - 1;
    if (top < this.runStart || (stack.length - start) % 2 !== 0) this.refuse('a dict in it has no sense');
    const dict = stack[top];
    entries.clear();
    for (let i = start; i < stack.length; i += 2) {
      const key = stack[i];
      if (typeof key === 'string') entries.set(key, stack[i + 1]);
    }
    stack.length = start;
    if (!(dict instanceof OpenDict)) return;
    // Counted records leave one place for all that came before; their owner lies below it.
    const before = stack[top - 1] ?? null;
    const owner = typeof before === 'symbol' ? this.lastOwner : before;
    const value = this.shapes.dictOf(entries, owner);
    stack[top] = value;
    if (dict.slot >= 0) this.memo.set(dict.slot, value);
    if (typeof value !== 'symbol') return;
    this.lastOwner = owner;
    if (top > this.runStart && before === value) stack.pop();
  }

  private appendItems(start: number): void {
    const { stack } = this;
    const list = start > this.runStart ? stack[start - 1] : null;
    if (!(list instanceof SummedList)) return this.refuse('a list in it has no sense');
    for (let i = start; i < stack.length; i++) this.shapes.append(list, stack[i]);
    stack.length = start;
    if (list.slot >= 0) this.memo.set(list.slot, list.stack);
  }

  private tuple(start: number): void {
    if (start < this.runStart) this.refuse('a tuple in it has no sense');
    this.stack.length = start;
    this.push(null);
  }

  private refuseOpcode(opcode: number): never {
    const name = REFUSED_NAMES[opcode] ?? `0x${opcode.toString(16).padStart(2, '0')}`;
    return this.refuse(`it holds the opcode ${name}, which plain data does not need`);
  }
}

function lengthAt(view: DataView, at: number, argumentBytes: number): number {
  if (argumentBytes === 1) return view.getUint8(at);
  const low = view.getUint32(at, true);
  return argumentBytes === 4 ? low : low + view.getUint32(at + 4, true) * 2 ** 32;
}

/** Two's complement, little-endian; NaN beyond eight bytes, rounded beyond 53 bits. */
function signedInteger(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 8) return NaN;
  // A negative number is one less than what its inverted bits say: so small ones stay exact.
  const invert = end > start && bytes[end - 1] >= 0x80 ? 0xff : 0;
  let value = 0;
  for (let i = end - 1; i >= start; i--) value = value * 256 + (bytes[i] ^ invert);
  return invert === 0 ? value : -1 - value;
}
