import { levelOf } from './level';

/** When a shift of a level counts. Each of the three must hold: significance, magnitude, persistence. */
export interface ShiftRules {
  /**
   * How rare the difference of two levels must be by chance, in standard deviations of a normal distribution, where all of
   * `maxRecentRuns` show it; the fewer show it, the rarer, since there are more occasions for chance.
   */
  minScore: number;
  /** Least change that matters, as a share of the level before: the noise floor of the metric and what people care for. */
  minChangeRatio: number;
  /** Least change that matters, in the unit of the metric, however small the level before is; 0 unless told. */
  minChange?: number;
  /** Runs that must lie on the new level: one run, however far off, is a spike. More where spikes are common. */
  minRuns: number;
  /** Runs before the shift that are needed to know the old level. */
  minBaselineRuns: number;
  /** Runs before the shift that are looked at: older ones say less about now. */
  maxBaselineRuns: number;
  /** Runs after the shift that are looked at when it is searched for: what is slow or small needs many. */
  maxRecentRuns: number;
}

export const DEFAULT_SHIFT_RULES: ShiftRules = {
  minScore: 4,
  minChangeRatio: 0.02,
  minRuns: 2,
  minBaselineRuns: 8,
  maxBaselineRuns: 60,
  maxRecentRuns: 30,
};

/** Least change from a level that matters. */
export function leastChange(
  level: number,
  { minChangeRatio, minChange = 0 }: Pick<ShiftRules, 'minChangeRatio' | 'minChange'>,
): number {
  return Math.max(minChangeRatio * Math.abs(level), minChange);
}

/** A level that moved. */
export interface LevelShift {
  /** Index of the first value on the new level. */
  index: number;
  before: number;
  after: number;
  /** (after − before) / |before|; 0 from a level of 0, which has no ratio. */
  changeRatio: number;
  /** How rare it is by chance, in standard deviations of a normal distribution, with the sign of the change. */
  score: number;
  /** Standard deviation of single values around the level before. */
  sigma: number;
}

/** Share of the recent values that must lie beyond half the shift. */
const ON_NEW_LEVEL_SHARE = 0.6;

/**
 * Whether the level of the last values differs from that before them: the best split among the last `maxRecentRuns`. Judges by
 * the past alone: appending values never changes an earlier answer. Undefined when there are too few values or the level stayed.
 */
export function findLatestShift(values: readonly number[], rules: ShiftRules): LevelShift | undefined {
  const most = Math.min(rules.maxRecentRuns, values.length - rules.minBaselineRuns);
  const isFound = splitsUpTo(most, rules.minRuns).some((recentRuns) => shiftAt(values, recentRuns, rules));
  if (!isFound) return undefined;
  let best: LevelShift | undefined;
  for (let recentRuns = rules.minRuns; recentRuns <= most; recentRuns++) {
    const shift = shiftAt(values, recentRuns, rules);
    if (shift && (!best || Math.abs(shift.score) > Math.abs(best.score))) best = shift;
  }
  return best;
}

/** Each next one a quarter larger: near splits tell nearly the same, and each costs. */
function splitsUpTo(most: number, least: number): number[] {
  const splits: number[] = [];
  for (let split = least; split <= most; split = Math.max(split + 1, Math.round(split * 1.25)))
    splits.push(split);
  return splits;
}

function shiftAt(values: readonly number[], recentRuns: number, rules: ShiftRules): LevelShift | undefined {
  const index = values.length - recentRuns;
  const old = values.slice(Math.max(0, index - rules.maxBaselineRuns), index);
  const recent = values.slice(index);
  const before = levelOf(old);
  const after = levelOf(recent, before.sigma);
  const change = after.value - before.value;
  if (change === 0 || Math.abs(change) < leastChange(before.value, rules)) return undefined;
  const error = Math.sqrt(before.sigma ** 2 / before.runs + after.sigma ** 2 / after.runs);
  const score = normalScore(change / error, before.runs - 1);
  if (Math.abs(score) < scoreNeeded(recentRuns, rules)) return undefined;
  const half = before.value + change / 2;
  const isBeyond = (value: number) => (value - half) * change > 0;
  const needed = Math.max(
    runsAgainstSpikes(old.filter((value) => isBeyond(value)).length, old.length),
    Math.ceil(recentRuns * ON_NEW_LEVEL_SHARE),
  );
  if (recent.filter(isBeyond).length < needed) return undefined;
  return {
    index,
    before: before.value,
    after: after.value,
    changeRatio: before.value === 0 ? 0 : change / Math.abs(before.value),
    score,
    sigma: before.sigma,
  };
}

/**
 * A series has twice as many places for a shift of two runs as for one of four. The tail of a normal distribution falls with
 * exp(−z²/2), so that this gives shifts of every length the same chance of a false alarm.
 */
function scoreNeeded(recentRuns: number, { minScore, maxRecentRuns }: ShiftRules): number {
  return Math.sqrt(minScore ** 2 + 2 * Math.log(maxRecentRuns / recentRuns));
}

/**
 * The distance of a normal distribution that is as rare as this one of Student's t (Wallace's approximation): of few values, the
 * noise is only guessed, and large distances come by chance.
 */
export function normalScore(t: number, freedom: number): number {
  const shrink = (8 * freedom + 1) / (8 * freedom + 3);
  return Math.sign(t) * shrink * Math.sqrt(freedom * Math.log1p(t ** 2 / freedom));
}

/** How likely it may be that runs on a new level are all spikes. */
const ALL_SPIKES_CHANCE = 5e-4;

/** Runs that spikes alone do not explain where so many of the runs before were as far off; a few more are expected unseen. */
function runsAgainstSpikes(spikes: number, runs: number): number {
  const share = (spikes + 0.5) / (runs + 10);
  return Math.ceil(Math.log(ALL_SPIKES_CHANCE) / Math.log(share));
}
