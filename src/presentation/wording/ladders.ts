import { type NotComparable, type RungStep, type RungVerdict } from '../../analysis';

/** What a verdict means, in a few words; a missing one does not compile. */
export const RUNG_VERDICT_WORDING: Readonly<Record<RungVerdict, string>> = {
  baseline: 'baseline',
  keep: 'keep',
  revert: 'revert: slower',
  'within-noise': 'within noise: bought nothing',
  'not-comparable': 'not comparable',
};

/** Why a rung cannot be compared. */
export const NOT_COMPARABLE_WORDING: Readonly<Record<NotComparable, string>> = {
  'run-deleted': 'a run of the comparison was deleted',
  'not-analysed': 'a run of the comparison has no report',
  'no-step-time': 'a run of the comparison has no step time',
  'different-clocks':
    'one run has a step time of the profiler only, the other none of it; upload step_times.rank<N>.jsonl',
  'different-gpu': 'the runs were on different GPUs',
};

/** How a step time was taken. */
export const STEP_CLOCK_WORDING: Readonly<Record<RungStep['clock'], string>> = {
  'unprofiled-mean': 'mean without the profiler',
  'unprofiled-median': 'median without the profiler',
  profiled: 'mean under the profiler, which slows the host',
};
