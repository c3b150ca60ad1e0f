import { type Analysis } from '../report-schema';

/** One rank before and after. */
export interface RankChange {
  rank: number;
  /** Mean step as traced, ns. */
  beforeNs: number;
  afterNs: number;
  changeNs: number;
  /** How much later than the first rank it came to the collectives of a step, ns; null where it was not measurable. */
  beforeLatenessNs: number | null;
  afterLatenessNs: number | null;
}

const MOST_SHOWN = 20;

/** The ranks that both sides have; those first whose step, or whose lateness, changed most: in step with others, all are slow. */
export function diffRanks(before: readonly Analysis[], after: readonly Analysis[]): RankChange[] {
  const [old, recent] = [meanByRank(before, stepsOf), meanByRank(after, stepsOf)];
  const [oldLate, recentLate] = [meanByRank(before, latenessOf), meanByRank(after, latenessOf)];
  const size = (one: RankChange) =>
    Math.max(Math.abs(one.changeNs), Math.abs((one.afterLatenessNs ?? 0) - (one.beforeLatenessNs ?? 0)));
  return [...old]
    .flatMap(([rank, beforeNs]): RankChange[] => {
      const afterNs = recent.get(rank);
      if (afterNs === undefined) return [];
      const lateness = {
        beforeLatenessNs: oldLate.get(rank) ?? null,
        afterLatenessNs: recentLate.get(rank) ?? null,
      };
      return [{ rank, beforeNs, afterNs, changeNs: afterNs - beforeNs, ...lateness }];
    })
    .sort((a, b) => size(b) - size(a))
    .slice(0, MOST_SHOWN);
}

/** The rank that the others wait for, in the latest report that tells of one. */
export function stragglerOf(analyses: readonly Analysis[]): number | null {
  return analyses.at(-1)?.communication?.stragglerRank ?? null;
}

type RankValues = readonly (readonly [rank: number, value: number])[];

const stepsOf = ({ ranks }: Analysis): RankValues =>
  ranks.flatMap(({ rank, steps }) =>
    steps.filter(({ excluded }) => excluded === null).map(({ wallNs }) => [rank, wallNs] as const),
  );

const latenessOf = ({ communication }: Analysis): RankValues =>
  (communication?.perRank ?? []).map(({ rank, latenessNs }) => [rank, latenessNs] as const);

function meanByRank(
  analyses: readonly Analysis[],
  valuesOf: (analysis: Analysis) => RankValues,
): Map<number, number> {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const [rank, value] of analyses.flatMap(valuesOf)) {
    const { sum, count } = sums.get(rank) ?? { sum: 0, count: 0 };
    sums.set(rank, { sum: sum + value, count: count + 1 });
  }
  return new Map([...sums].map(([rank, { sum, count }]) => [rank, sum / count]));
}
