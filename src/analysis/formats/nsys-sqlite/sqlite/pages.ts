import { type Scratch } from '../../scratch';
import { DamagedDatabase } from './damaged';

/** Pages are read from scratch in blocks of this size; it is a multiple of every page size. */
const BLOCK_BYTES = 256 * 1024;
/** Blocks kept: 8 MiB, so that the upper levels of the trees stay at hand. */
const MAX_BLOCKS = 32;

const MAGIC = 'SQLite format 3\0';
/** Bytes of the database header, at the start of page 1. */
export const HEADER_BYTES = 100;
const UTF_8 = 1;
/** The format promises at least this many usable bytes a page. */
const MIN_USABLE_BYTES = 480;

/** The pages of a database file, numbered from 1. Offsets are those of the SQLite file format, section 1.3. */
export class Pages {
  readonly pageBytes: number;
  /** Bytes of a page that hold content. */
  readonly usableBytes: number;
  readonly count: number;
  private readonly blocks = new Map<number, Uint8Array>();
  private readonly visited: Uint8Array;

  /** Throws `DamagedDatabase` when the header is not that of a whole database. */
  constructor(
    private readonly scratch: Scratch,
    private readonly sizeBytes: number,
  ) {
    if (sizeBytes < HEADER_BYTES) throw new DamagedDatabase('it ends within its header');
    const header = new Uint8Array(HEADER_BYTES);
    scratch.read(0, header);
    const view = new DataView(header.buffer);
    if (!isSqlite(header)) throw new DamagedDatabase('it does not begin like one');
    const pageBytes = view.getUint16(16) === 1 ? 65_536 : view.getUint16(16);
    if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0)
      throw new DamagedDatabase(`its page size is ${pageBytes}`);
    this.pageBytes = pageBytes;
    this.usableBytes = pageBytes - header[20];
    if (this.usableBytes < MIN_USABLE_BYTES) throw new DamagedDatabase('its pages have no room');
    if (view.getUint32(56) > UTF_8) throw new DamagedDatabase('its text is not UTF-8');
    this.count = Math.floor(sizeBytes / pageBytes);
    const declared = view.getUint32(28);
    // The declared size only counts when the file was last written by a version that keeps it.
    if (view.getUint32(24) === view.getUint32(92) && declared > this.count)
      throw new DamagedDatabase(`it ends early: ${this.count} of ${declared} pages are there`);
    this.visited = new Uint8Array((this.count >> 3) + 1);
  }

  /** The bytes of a page, not to be changed. */
  get(page: number): Uint8Array {
    if (!(page >= 1 && page <= this.count))
      throw new DamagedDatabase(`it points to page ${page}, which is not there`);
    const offset = (page - 1) * this.pageBytes;
    const blockIndex = Math.floor(offset / BLOCK_BYTES);
    const at = offset - blockIndex * BLOCK_BYTES;
    return this.block(blockIndex).subarray(at, at + this.pageBytes);
  }

  /**
   * The same for a scan, which comes to each page once: a page that two trees share, or one tree twice, is damage or a
   * trap. This bounds all scans of a file together by its size.
   */
  visit(page: number): Uint8Array {
    const bytes = this.get(page);
    if (this.visited[page >> 3] & (1 << (page & 7)))
      throw new DamagedDatabase(`page ${page} is in use twice`);
    this.visited[page >> 3] |= 1 << (page & 7);
    return bytes;
  }

  private block(index: number): Uint8Array {
    const known = this.blocks.get(index);
    if (known) {
      // Last in the map is last used.
      this.blocks.delete(index);
      this.blocks.set(index, known);
      return known;
    }
    const offset = index * BLOCK_BYTES;
    const block = new Uint8Array(Math.min(BLOCK_BYTES, this.sizeBytes - offset));
    this.scratch.read(offset, block);
    if (this.blocks.size >= MAX_BLOCKS) this.blocks.delete([...this.blocks.keys()][0]);
    this.blocks.set(index, block);
    return block;
  }
}

/** True for the first bytes of an SQLite database. */
export function isSqlite(head: Uint8Array): boolean {
  return [...MAGIC].every((char, i) => head[i] === char.charCodeAt(0));
}
