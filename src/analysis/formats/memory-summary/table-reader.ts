import {
  type AllocatorBytes,
  type AllocatorCounts,
  type AllocatorGauge,
  type AllocatorStatistics,
  type PooledGauge,
} from '../../timeline/allocator-statistics';

/** Begins a table; other back ends of PyTorch print the same. */
export const TABLE_TITLE = /PyTorch (?:CUDA|XPU|HIP) memory summary, device ID (\d{1,4})\b/;

const BYTE_ROWS: Readonly<Record<string, AllocatorBytes>> = {
  'Allocated memory': 'allocated',
  'Active memory': 'active',
  'Requested memory': 'requested',
  'GPU reserved memory': 'reserved',
  'Non-releasable memory': 'inactiveSplit',
};
const COUNT_ROWS: Readonly<Record<string, AllocatorCounts>> = {
  Allocations: 'allocations',
  'Active allocs': 'active',
  'GPU reserved segments': 'segments',
  'Non-releasable allocs': 'inactiveSplits',
  'Oversize allocations': 'oversizeAllocations',
  'Oversize GPU segments': 'oversizeSegments',
};
const POOL_ROWS = { 'from large pool': 'largePool', 'from small pool': 'smallPool' } as const;

/** Old versions write MB and mean MiB: they divide by 1024 as the new ones do. */
const UNIT_BYTES: Readonly<Record<string, number>> = Object.fromEntries(
  ['', 'K', 'M', 'G', 'T', 'P'].flatMap((prefix, power) => [
    [`${prefix}B`, 1024 ** power],
    [`${prefix}iB`, 1024 ** power],
  ]),
);

/** Title, counters or row, wherever in a line: log prefixes stand before, and lines may be joined. */
const PART =
  /PyTorch (?:CUDA|XPU|HIP) memory summary, device ID (?<device>\d{1,4})\b|CUDA OOMs: +(?<ooms>\d{1,12}) +\| +cudaMalloc retries: +(?<retries>\d{1,12})|(?<name>[A-Z][A-Za-z -]{4,30}[a-z]|from (?:large|small) pool) {0,32}(?<cells>(?:\| {0,16}-?\d{1,16}(?: [KMGTP]?i?B)? {0,16}){4})\|/g;

/** Reads tables line by line. A row without a title before it is given to no table and counted. */
export class TableReader {
  readonly tables: AllocatorStatistics[] = [];
  lostRows = 0;
  lostTables = 0;
  private row: PooledGauge | null = null;
  private table: AllocatorStatistics | null = null;

  constructor(private readonly maxTables: number) {}

  read(line: string): void {
    for (const { groups: part } of line.matchAll(PART)) {
      if (part?.device !== undefined) this.begin(Number(part.device));
      else if (part?.ooms !== undefined && this.table) {
        this.table.oomCount = Number(part.ooms);
        this.table.retryCount = Number(part.retries);
      } else if (part?.cells !== undefined) this.addRow(part.name, gaugeOf(part.cells));
    }
  }

  private begin(device: number): void {
    this.row = null;
    this.table = { device, bytes: {}, counts: {}, oomCount: null, retryCount: null };
    if (this.tables.length < this.maxTables) this.tables.push(this.table);
    else this.lostTables++;
  }

  private addRow(name: string, gauge: AllocatorGauge | null): void {
    if (!this.table || !gauge) {
      this.lostRows++;
      return;
    }
    if (name in POOL_ROWS) {
      if (this.row) this.row[POOL_ROWS[name as keyof typeof POOL_ROWS]] = gauge;
      else this.lostRows++;
      return;
    }
    this.row = { all: gauge, largePool: null, smallPool: null };
    if (name in BYTE_ROWS) this.table.bytes[BYTE_ROWS[name]] = this.row;
    else if (name in COUNT_ROWS) this.table.counts[COUNT_ROWS[name]] = this.row;
    else this.lostRows++;
  }
}

function gaugeOf(cells: string): AllocatorGauge | null {
  const [current, peak, allocated, freed] = cells.split('|').slice(1).map(cellValue);
  return { current, peak, allocated, freed };
}

/** Pools are printed in the unit of the whole, rounded down: `0 GiB` may be anything below one, so it says nothing. */
function cellValue(cell: string): number | null {
  const [digits, unit] = cell.trim().split(' ');
  const unitBytes = unit ? UNIT_BYTES[unit] : 1;
  const value = Number(digits) * unitBytes;
  return Number.isSafeInteger(value) && value >= 0 && (value > 0 || unitBytes === 1) ? value : null;
}
