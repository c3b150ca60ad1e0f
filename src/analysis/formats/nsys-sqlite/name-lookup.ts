import { ByteStringTable } from '../../timeline/byte-string-table';
import { Table } from './export-tables';
import { type Database } from './sqlite/database';
import { DamagedDatabase } from './sqlite/damaged';

/** Ids remembered at a time; kernels and calls have some thousands, ranges with a number in their name any number. */
const MAX_REMEMBERED = 1 << 20;
/** Version of the interface, and the mark of calls on the stream of a thread: `cudaLaunchKernel_ptsz_v7000`. */
const API_SUFFIX = /(_pts[zd])?(_v\d{4,})?$/;
/** The longest names of kernels, with all their template arguments, are shorter; what reads names takes its time for longer ones. */
const MAX_NAME_BYTES = 8192;
const UNKNOWN_NAME = '(name unknown)';

/** Names by their id in `StringIds`. Nothing is read before it is asked for: a file may hold any number of names. */
export class NameLookup {
  /** Names that were too long. */
  cut = 0;
  readonly strings: ByteStringTable;
  readonly unknownId: number;
  private readonly find: (id: number) => Uint8Array | null;
  private readonly plain = new Map<number, number>();
  private readonly calls = new Map<number, number>();
  private readonly encoder = new TextEncoder();
  private readonly latin1 = new TextDecoder('latin1');

  constructor(database: Database, maxStringBytes: number) {
    this.strings = new ByteStringTable(maxStringBytes);
    this.unknownId = this.intern(UNKNOWN_NAME);
    if (!database.has(Table.strings)) {
      this.find = () => null;
      return;
    }
    const find = database.finder(Table.strings, 'id', 'value');
    if (!find) throw new DamagedDatabase(`its "${Table.strings}" cannot be looked up by id`);
    this.find = find;
  }

  /** The bytes of the name, good until the next one is asked for; null when there is none. */
  textOf(id: number): Uint8Array | null {
    return Number.isSafeInteger(id) && id >= 0 ? this.find(id) : null;
  }

  /** Id in `strings` of the name; -1 when the file does not have it. */
  nameId(id: number): number {
    return this.remembered(this.plain, id, (text) => text.length);
  }

  /** The same for a call of the CUDA API, without the version of its interface. */
  callNameId(id: number): number {
    return this.remembered(
      this.calls,
      id,
      (text) => API_SUFFIX.exec(this.latin1.decode(text))?.index ?? text.length,
    );
  }

  intern(name: string): number {
    const bytes = this.encoder.encode(name);
    return this.internBytes(bytes, bytes.length);
  }

  /** Id of the name that ends at `end`; a very long one is cut, and counted in `cut`. */
  internBytes(bytes: Uint8Array, end: number): number {
    if (end > MAX_NAME_BYTES) this.cut++;
    return this.strings.intern(bytes, 0, Math.min(end, MAX_NAME_BYTES));
  }

  private remembered(known: Map<number, number>, id: number, endOf: (text: Uint8Array) => number): number {
    let nameId = known.get(id);
    if (nameId !== undefined) return nameId;
    const text = this.textOf(id);
    nameId = text ? this.internBytes(text, endOf(text)) : -1;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(id, nameId);
    return nameId;
  }
}
