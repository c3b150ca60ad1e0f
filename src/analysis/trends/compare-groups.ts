import { type Metric } from '../metrics/define-metric';
import { levelOf } from './level';
import { leastChange, normalScore, type ShiftRules } from './level-shift';
import { median } from './robust-statistics';

/** How two groups of runs differ by one metric; as verdicts of runs, `changed` where neither way is better. */
export const GROUP_VERDICTS = ['better', 'worse', 'changed', 'unchanged', 'inconclusive'] as const;
export type GroupVerdict = (typeof GROUP_VERDICTS)[number];

export interface GroupComparison {
  /** Medians. */
  before: number;
  after: number;
  /** (after − before) / |before|; null from a level of 0. */
  changeRatio: number | null;
  /** How rare the change is by chance, in standard deviations of a normal distribution; null where the noise is not known or 0. */
  score: number | null;
  /** What the noise was learnt from. */
  noiseFrom: 'groups' | 'history' | null;
  verdict: GroupVerdict;
}

/** Runs that noise can be learnt from. */
const MIN_NOISE_RUNS = 5;

/**
 * Compares the values of two groups, at least one each. Significance and magnitude must both hold for a change; without
 * either it is unchanged, and what cannot be told from noise that hides it is inconclusive.
 *
 * @param history values of comparable runs before, for groups that are too small to know their noise.
 */
export function compareGroups(
  before: readonly number[],
  after: readonly number[],
  direction: Metric['direction'],
  rules: Pick<ShiftRules, 'minScore' | 'minChangeRatio' | 'minChange'>,
  history: readonly number[] = [],
): GroupComparison {
  const [old, recent] = [median(before), median(after)];
  const change = recent - old;
  const medians = { before: old, after: recent, changeRatio: old === 0 ? null : change / Math.abs(old) };
  const noise = noiseOf(before, after, history);
  if (!noise) return { ...medians, score: null, noiseFrom: null, verdict: 'inconclusive' };
  const error = noise.sigma * Math.sqrt(1 / before.length + 1 / after.length);
  const score = change === 0 ? 0 : error === 0 ? null : normalScore(change / error, noise.freedom);
  const figures = { ...medians, score, noiseFrom: noise.from };
  if (change === 0) return { ...figures, verdict: 'unchanged' };
  const isRare = score === null || Math.abs(score) >= rules.minScore;
  const isLarge = Math.abs(change) >= leastChange(old, rules);
  if (isRare && isLarge) return { ...figures, verdict: nameOf(change, direction) };
  return { ...figures, verdict: isLarge ? 'inconclusive' : 'unchanged' };
}

function nameOf(change: number, direction: Metric['direction']): GroupVerdict {
  if (direction === 'neutral') return 'changed';
  return change > 0 === (direction === 'higher-is-better') ? 'better' : 'worse';
}

/** The larger noise of the groups that are large enough, else that of the history. */
function noiseOf(before: readonly number[], after: readonly number[], history: readonly number[]) {
  const levels = [before, after].filter(({ length }) => length >= MIN_NOISE_RUNS).map((one) => levelOf(one));
  const from = levels.length > 0 ? ('groups' as const) : ('history' as const);
  if (levels.length === 0 && history.length >= MIN_NOISE_RUNS) levels.push(levelOf(history));
  if (levels.length === 0) return undefined;
  return {
    from,
    sigma: Math.max(...levels.map(({ sigma }) => sigma)),
    freedom: Math.max(
      1,
      levels.reduce((sum, { runs }) => sum + runs - 1, 0),
    ),
  };
}
