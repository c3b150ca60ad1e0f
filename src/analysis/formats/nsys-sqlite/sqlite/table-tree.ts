import { DamagedDatabase } from './damaged';
import { HEADER_BYTES, type Pages } from './pages';
import { Varint } from './varint';

const LEAF = 0x0d;
const INTERIOR = 0x05;
/** A tree of the largest file that SQLite can make is less deep. */
const MAX_DEPTH = 24;
/** Bytes of a row that are put together when it spills over several pages; the columns in use lie before. */
const MAX_ROW_BYTES = 65_536;

/** Takes a row: its id, its first bytes, and how many it has in all. Return false to end the scan. */
export type TakePayload = (rowId: number, payload: Uint8Array, payloadBytes: number) => boolean;

/** The B-tree of one ordinary table: leaf pages with rows, interior pages with keys, by row id. */
export class TableTree {
  private readonly varint = new Varint();

  constructor(
    private readonly pages: Pages,
    private readonly rootPage: number,
  ) {}

  /** Gives every row, in the order of the row ids. Throws `DamagedDatabase`. */
  scan(take: TakePayload): void {
    let lastRowId = -1;
    this.walk(this.rootPage, 0, (rowId, payload, payloadBytes) => {
      // A row that is named again and again would be read as often.
      if (rowId <= lastRowId) throw new DamagedDatabase('its rows are out of order');
      lastRowId = rowId;
      return take(rowId, payload, payloadBytes);
    });
  }

  /** The first bytes of the row of this id; null when there is none. */
  find(rowId: number): Uint8Array | null {
    let page = this.rootPage;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const node = this.node(page, this.pages.get(page));
      const cell = this.lowerBound(node, rowId);
      if (node.isLeaf) return cell < node.cells ? this.payloadIfAt(node, cell, rowId) : null;
      page = cell < node.cells ? u32(node.bytes, cellAt(node, cell)) : u32(node.bytes, node.at + 8);
    }
    throw new DamagedDatabase('a tree has no end');
  }

  private walk(page: number, depth: number, take: TakePayload): boolean {
    if (depth > MAX_DEPTH) throw new DamagedDatabase('a tree has no end');
    const node = this.node(page, this.pages.visit(page));
    if (node.isLeaf) this.checkRoom(page, node);
    for (let i = 0; i < node.cells; i++) {
      const at = cellAt(node, i);
      const goesOn = node.isLeaf
        ? this.takeCell(node.bytes, at, take)
        : this.walk(u32(node.bytes, at), depth + 1, take);
      if (!goesOn) return false;
    }
    return node.isLeaf || this.walk(u32(node.bytes, node.at + 8), depth + 1, take);
  }

  private node(page: number, bytes: Uint8Array): Node {
    const at = page === 1 ? HEADER_BYTES : 0;
    const type = bytes[at];
    if (type !== LEAF && type !== INTERIOR)
      throw new DamagedDatabase(`page ${page} is none of an ordinary table`);
    const cells = u16(bytes, at + 3);
    const pointersAt = at + (type === LEAF ? 8 : 12);
    if (pointersAt + 2 * cells > this.pages.usableBytes) throw new DamagedDatabase(`page ${page} overflows`);
    return { bytes, at, isLeaf: type === LEAF, cells, pointersAt };
  }

  /** Rows that share bytes take up more, all together, than their page has; there is no other way to pack more into it. */
  private checkRoom(page: number, node: Node): void {
    let room = this.pages.usableBytes - node.pointersAt - 2 * node.cells;
    for (let i = 0; i < node.cells; i++) {
      const at = cellAt(node, i);
      const payloadBytes = this.varint.read(node.bytes, at);
      this.varint.read(node.bytes, this.varint.end);
      const localBytes = localPart(payloadBytes, this.pages.usableBytes);
      room -= this.varint.end - at + localBytes + (localBytes < payloadBytes ? 4 : 0);
    }
    if (room < 0) throw new DamagedDatabase(`rows of page ${page} lie over each other`);
  }

  private takeCell(bytes: Uint8Array, at: number, take: TakePayload): boolean {
    const payloadBytes = this.varint.read(bytes, at);
    const rowId = this.varint.read(bytes, this.varint.end);
    return take(rowId, this.payload(bytes, this.varint.end, payloadBytes, true), payloadBytes);
  }

  private payloadIfAt(node: Node, cell: number, rowId: number): Uint8Array | null {
    const payloadBytes = this.varint.read(node.bytes, cellAt(node, cell));
    const isIt = this.varint.read(node.bytes, this.varint.end) === rowId;
    return isIt ? this.payload(node.bytes, this.varint.end, payloadBytes, false) : null;
  }

  /** First cell whose key is not less than `rowId`; the number of cells when there is none. */
  private lowerBound(node: Node, rowId: number): number {
    let low = 0;
    let high = node.cells;
    while (low < high) {
      const middle = (low + high) >> 1;
      let keyAt = cellAt(node, middle) + 4;
      if (node.isLeaf) {
        this.varint.read(node.bytes, keyAt - 4);
        keyAt = this.varint.end;
      }
      if (this.varint.read(node.bytes, keyAt) < rowId) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What of a row is on its leaf page, and the rest from its chain of overflow pages. */
  private payload(bytes: Uint8Array, at: number, payloadBytes: number, once: boolean): Uint8Array {
    const { usableBytes } = this.pages;
    const localBytes = localPart(payloadBytes, usableBytes);
    if (at + localBytes + (localBytes < payloadBytes ? 4 : 0) > usableBytes)
      throw new DamagedDatabase('a row reaches beyond its page');
    if (localBytes === payloadBytes) return bytes.subarray(at, at + payloadBytes);
    const whole = new Uint8Array(Math.min(payloadBytes, MAX_ROW_BYTES));
    whole.set(bytes.subarray(at, at + Math.min(localBytes, whole.length)));
    let filled = Math.min(localBytes, whole.length);
    let next = u32(bytes, at + localBytes);
    while (filled < whole.length) {
      const page = once ? this.pages.visit(next) : this.pages.get(next);
      const part = page.subarray(4, Math.min(usableBytes, 4 + whole.length - filled));
      whole.set(part, filled);
      filled += part.length;
      next = u32(page, 0);
    }
    return whole;
  }
}

interface Node {
  bytes: Uint8Array;
  /** Where its header begins: behind that of the file on page 1. */
  at: number;
  isLeaf: boolean;
  cells: number;
  pointersAt: number;
}

/** Bytes of a row that stay on its leaf page, as section 1.6 of the file format defines them. */
function localPart(payloadBytes: number, usableBytes: number): number {
  if (payloadBytes <= usableBytes - 35) return payloadBytes;
  const least = Math.floor(((usableBytes - 12) * 32) / 255) - 23;
  const fitting = least + ((payloadBytes - least) % (usableBytes - 4));
  return fitting <= usableBytes - 35 ? fitting : least;
}

function cellAt({ bytes, pointersAt }: Node, index: number): number {
  const at = u16(bytes, pointersAt + 2 * index);
  if (at + 4 > bytes.length) throw new DamagedDatabase('a row begins beyond its page');
  return at;
}

function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 8) | bytes[at + 1];
}

function u32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
}
