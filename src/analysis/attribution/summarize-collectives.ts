import { type CommunicationReport } from '../report-schema';
import { type MatchedCollective } from './cross-rank';
import { type RunFacts } from './run-facts';

/** Bus-bandwidth factor of a collective over n ranks, as nccl-tests define it; null for others. */
function busFactor(name: string, n: number): number | null {
  if (/all_?reduce/i.test(name)) return (2 * (n - 1)) / n;
  if (/all_?gather|reduce_?scatter|all_?to_?all/i.test(name)) return (n - 1) / n;
  return null;
}

const DTYPE_BYTES: Readonly<Record<string, number>> = {
  double: 8,
  long: 8,
  float64: 8,
  int64: 8,
  float: 4,
  float32: 4,
  int: 4,
  int32: 4,
  half: 2,
  float16: 2,
  bfloat16: 2,
  char: 1,
  byte: 1,
  bool: 1,
  int8: 1,
  uint8: 1,
  float8_e4m3fn: 1,
  float8_e5m2: 1,
};

/** Kinds of collectives that a report lists, and how many waits of ranks in all of them. */
const MOST_COLLECTIVES = 100;
const MOST_WAITS = 20_000;

type Summary = CommunicationReport['collectives'][number];

/** Collectives of one name, element type and group size. */
class CollectiveKind {
  private readonly sizes: number[] = [];
  private readonly bandwidths: number[] = [];
  private readonly waits = new Map<number, { ns: number; count: number }>();
  private count = 0;
  transferNs = 0;

  constructor(private readonly first: MatchedCollective) {}

  add({ name, args, transferNs, onRanks }: MatchedCollective): void {
    this.count++;
    this.transferNs += transferNs;
    for (const { rank, startNs, endNs } of onRanks) {
      const wait = this.waits.get(rank) ?? { ns: 0, count: 0 };
      wait.ns += endNs - startNs - transferNs;
      wait.count++;
      this.waits.set(rank, wait);
    }
    const elementBytes = DTYPE_BYTES[(args?.dtype ?? '').toLowerCase()];
    const elements = Math.max(args?.inElements ?? 0, args?.outElements ?? 0);
    if (!elementBytes || elements === 0) return;
    this.sizes.push(elements * elementBytes);
    const factor = args?.groupSize ? busFactor(name, args.groupSize) : null;
    if (factor !== null && transferNs > 0)
      this.bandwidths.push(((elements * elementBytes) / transferNs) * factor * 1e9);
  }

  summary(ranks: readonly number[], withWaits: boolean): Summary {
    const { name, args } = this.first;
    const waitNs = (rank: number) => {
      const wait = this.waits.get(rank);
      return wait ? Math.round(wait.ns / wait.count) : null;
    };
    return {
      name,
      dtype: args?.dtype ?? null,
      groupSize: args?.groupSize ?? null,
      count: this.count,
      sizeBytes: mean(this.sizes),
      transferNs: Math.round(this.transferNs / this.count),
      busBandwidthBytesPerSec: mean(this.bandwidths),
      ...(withWaits && { waitNsByRank: ranks.map(waitNs) }),
    };
  }
}

/** The collectives of the profiled steps by kind, those first that take longest. */
export function summarizeCollectives({
  crossRank,
  deviceRanks,
}: RunFacts): Pick<CommunicationReport, 'collectives' | 'collectivesLeftOut'> {
  const kinds = new Map<string, CollectiveKind>();
  for (const collective of crossRank?.collectives ?? []) {
    const { name, args } = collective;
    const key = `${name} ${args?.dtype} ${args?.groupSize}`;
    const kind = kinds.get(key) ?? new CollectiveKind(collective);
    kinds.set(key, kind);
    kind.add(collective);
  }
  const ranks = deviceRanks.map(({ rank }) => rank);
  const sorted = [...kinds.values()].sort((a, b) => b.transferNs - a.transferNs);
  return {
    collectives: sorted
      .slice(0, MOST_COLLECTIVES)
      .map((kind, i) => kind.summary(ranks, (i + 1) * ranks.length <= MOST_WAITS)),
    collectivesLeftOut: Math.max(0, sorted.length - MOST_COLLECTIVES),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length > 0 ? values.reduce((a, b) => a + b, 0) / values.length : null;
}
