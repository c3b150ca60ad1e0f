import { DamagedDatabase } from './damaged';
import { Varint } from './varint';

const Type = { absent: 0, integer: 1, real: 2, text: 3, blob: 4 } as const;

/** Bytes of integers by serial type 0 to 9. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
const REAL = 7;
const FIRST_BLOB = 12;

/**
 * One row under a scan: the wanted columns by their place in the list of wanted ones (`slot`). It is reused for the next
 * row. What a column was declared as means nothing: SQLite stores anything anywhere, so every read says its type.
 */
export class Row {
  private bytes: Uint8Array = new Uint8Array(0);
  private view: DataView = new DataView(this.bytes.buffer);
  private rowId = 0;
  private readonly types: Uint8Array;
  private readonly serials: Uint8Array;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly varint = new Varint();

  /** `slotOf[i]` is the slot of column i of the table, or -1; `rowIdSlot` that of the column that stands for the row id. */
  constructor(
    private readonly slotOf: Int16Array,
    slots: number,
    private readonly rowIdSlot: number,
  ) {
    this.types = new Uint8Array(slots);
    this.serials = new Uint8Array(slots);
    this.starts = new Uint32Array(slots);
    this.ends = new Uint32Array(slots);
  }

  /** Takes a record, or its first bytes. False when a wanted column lies beyond them. */
  take(rowId: number, payload: Uint8Array, payloadBytes: number): boolean {
    this.rowId = rowId;
    if (payload.buffer !== this.bytes.buffer) this.view = new DataView(payload.buffer);
    this.bytes = payload;
    this.types.fill(Type.absent);
    const { varint, slotOf } = this;
    const headerBytes = varint.read(payload, 0);
    if (headerBytes > payloadBytes) throw new DamagedDatabase('the header of a row is longer than the row');
    let at = varint.end;
    let bodyAt = headerBytes;
    for (let column = 0; column < slotOf.length && at < headerBytes; column++) {
      if (at >= payload.length) return false;
      const serial = varint.read(payload, at);
      at = varint.end;
      const endAt = bodyAt + sizeOf(serial);
      if (endAt > payloadBytes) throw new DamagedDatabase('a value is longer than its row');
      const slot = slotOf[column];
      if (slot >= 0) {
        if (endAt > payload.length && serial < FIRST_BLOB) return false;
        this.put(slot, serial, bodyAt, Math.min(endAt, payload.length));
      }
      bodyAt = endAt;
    }
    return true;
  }

  /** True for NULL, and for a column that the table lacks. */
  isAbsent(slot: number): boolean {
    return this.types[slot] === Type.absent && slot !== this.rowIdSlot;
  }

  /** An integer; NaN for anything else. Beyond 2^53 it is rounded: see `bigint`. */
  integer(slot: number): number {
    if (slot === this.rowIdSlot) return this.rowId;
    if (this.types[slot] !== Type.integer) return NaN;
    const serial = this.serials[slot];
    if (serial >= 8) return serial - 8;
    const at = this.starts[slot] + this.bytes.byteOffset;
    switch (serial) {
      case 1:
        return this.view.getInt8(at);
      case 2:
        return this.view.getInt16(at);
      case 3:
        return this.view.getInt8(at) * 65_536 + this.view.getUint16(at + 1);
      case 4:
        return this.view.getInt32(at);
      case 5:
        return this.view.getInt16(at) * 2 ** 32 + this.view.getUint32(at + 2);
      default:
        return this.view.getInt32(at) * 2 ** 32 + this.view.getUint32(at + 4);
    }
  }

  /** An integer without loss; null for anything else. */
  bigint(slot: number): bigint | null {
    const value = this.integer(slot);
    if (Number.isNaN(value)) return null;
    return Number.isSafeInteger(value)
      ? BigInt(value)
      : this.view.getBigInt64(this.starts[slot] + this.bytes.byteOffset);
  }

  /** The bytes of a text, good until the next row; null for anything else. Cut where the row was cut. */
  text(slot: number): Uint8Array | null {
    return this.types[slot] === Type.text ? this.bytes.subarray(this.starts[slot], this.ends[slot]) : null;
  }

  private put(slot: number, serial: number, startAt: number, endAt: number): void {
    this.serials[slot] = Math.min(serial, 255);
    this.starts[slot] = startAt;
    this.ends[slot] = endAt;
    if (serial === 0) this.types[slot] = Type.absent;
    else if (serial === REAL) this.types[slot] = Type.real;
    else if (serial < FIRST_BLOB) this.types[slot] = Type.integer;
    else this.types[slot] = serial % 2 === 1 ? Type.text : Type.blob;
  }
}

function sizeOf(serial: number): number {
  if (serial < 10) return INTEGER_BYTES[serial];
  if (serial < FIRST_BLOB) throw new DamagedDatabase(`a value has the type ${serial}, which does not exist`);
  return Math.floor((serial - FIRST_BLOB) / 2);
}
