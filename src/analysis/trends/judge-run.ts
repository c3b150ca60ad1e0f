import { type Metric } from '../metrics/define-metric';
import { levelOf } from './level';
import { leastChange, type ShiftRules } from './level-shift';
import { collapseRepeats, type SeriesPoint } from './series-point';

/** What a run is against the runs before it. */
export const RUN_VERDICTS = ['regressed', 'improved', 'changed', 'unchanged', 'inconclusive'] as const;
export type RunVerdict = (typeof RUN_VERDICTS)[number];

/** The runs that a run is compared with. */
export interface Baseline {
  median: number;
  /** Standard deviation of single runs, robust. */
  sigma: number;
  /** Commits that it stands on; repeats count once. */
  commits: number;
  /** Values between these are no change: noise, and what nobody minds. */
  low: number;
  high: number;
}

export interface RunJudgement {
  verdict: RunVerdict;
  /** Why nothing could be said; null for the other verdicts. */
  reason: 'too-few-runs' | 'too-noisy' | null;
  baseline: Baseline | null;
  /** (value − median) / |median|; null without a baseline, and from one of 0. */
  changeRatio: number | null;
  /** Commits before the run that count; a verdict needs `minBaselineRuns`. */
  commits: number;
  /** Distance from the baseline in standard errors of one run; null where every run before was 0. */
  score: number | null;
}

/** Distance at which one run is off, for a series of normal noise: less than once in ten thousand runs. */
const MIN_RUN_SCORE = 4;
/** A baseline whose noise hides changes of this share says nothing about smaller ones. */
const MAX_HIDDEN_RATIO = 0.25;

/**
 * Judges one run by the runs before it, never by later ones. `past`: the runs of the present segment in the order of the
 * series, without those that people or earlier verdicts took out.
 */
export function judgeRun(
  past: readonly SeriesPoint[],
  run: SeriesPoint,
  direction: Metric['direction'],
  rules: ShiftRules,
): RunJudgement {
  const commits = collapseRepeats(past.filter(({ commit }) => commit === null || commit !== run.commit));
  const values = commits.slice(-rules.maxBaselineRuns).map(({ value }) => value);
  if (values.length < rules.minBaselineRuns) {
    return {
      verdict: 'inconclusive',
      reason: 'too-few-runs',
      baseline: null,
      changeRatio: null,
      commits: values.length,
      score: null,
    };
  }
  const { value: level, sigma, runs } = levelOf(values);
  const error = sigma * Math.sqrt(1 + 1 / runs);
  const noise = MIN_RUN_SCORE * error;
  const margin = Math.max(noise, leastChange(level, rules));
  const baseline = {
    median: level,
    sigma,
    commits: values.length,
    low: level - margin,
    high: level + margin,
  };
  const change = run.value - level;
  const figures = {
    baseline,
    commits: values.length,
    changeRatio: level === 0 ? null : change / Math.abs(level),
    score: error === 0 ? null : change / error,
  };
  if (Math.abs(change) > margin) return { verdict: nameOf(change, direction), reason: null, ...figures };
  if (noise > Math.max(MAX_HIDDEN_RATIO * Math.abs(level), rules.minChange ?? 0))
    return { verdict: 'inconclusive', reason: 'too-noisy', ...figures };
  return { verdict: 'unchanged', reason: null, ...figures };
}

function nameOf(change: number, direction: Metric['direction']): RunVerdict {
  if (direction === 'neutral') return 'changed';
  return change > 0 === (direction === 'higher-is-better') ? 'improved' : 'regressed';
}
