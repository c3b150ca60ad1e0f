import { type Figure, type Finding } from '../report-schema';
import { type ConfigurationChange } from './configuration-change';
import { compareRungs, type NotComparable, type RungStep, stepOf } from './compare-rungs';
import { type RungInput } from './rung-input';
import { changesBetween, countChanges } from './rung-changes';

export const RUNG_VERDICTS = ['baseline', 'keep', 'revert', 'within-noise', 'not-comparable'] as const;
export type RungVerdict = (typeof RUNG_VERDICTS)[number];

export interface Rung {
  label: string;
  /** The best that is known of its step time. */
  step: RungStep | null;
  utilisation: readonly Figure[];
  /** Index of the rung that it is compared with: the last one before it that has a step time; null for the baseline. */
  comparedWith: number | null;
  /** Time for the same work at the rung before over the time here: above 1 is faster. */
  speedup: number | null;
  /** The same against the baseline. */
  cumulativeSpeedup: number | null;
  verdict: RungVerdict;
  /** Why it is not comparable. */
  reason: NotComparable | null;
  changes: ConfigurationChange[];
  /** More than one thing was changed at once, so that the gain belongs to none of them alone. */
  severalChanges: boolean;
}

export interface Ladder {
  rungs: Rung[];
  /** Step time of the baseline over that of the last rung that can be compared with it. */
  speedup: number | null;
  /** What the last report names first: what to try next. Null when it names nothing, or there is no report. */
  next: { rung: number; finding: Finding | null } | null;
}

/** Two runs of the same thing are taken to differ by up to this share (corpus: rungs without effect moved by 0.4 % and 0.7 %). */
export const RUNG_NOISE_RATIO = 0.01;

/** Builds the table of a ladder: each rung against the one before, and against the baseline, which is the first. */
export function buildLadder(inputs: readonly RungInput[]): Ladder {
  const rungs = inputs.map((_, i) => toRung(inputs, i));
  const last = inputs.findLastIndex(({ report }) => typeof report === 'object');
  const report = inputs.at(last)?.report;
  return {
    rungs,
    speedup: rungs.findLast(({ cumulativeSpeedup }) => cumulativeSpeedup !== null)?.cumulativeSpeedup ?? null,
    next: typeof report === 'object' ? { rung: last, finding: report.finding } : null,
  };
}

function toRung(inputs: readonly RungInput[], index: number): Rung {
  const input = inputs[index];
  const step = stepOf(input);
  const utilisation = typeof input.report === 'object' ? input.report.utilisation : [];
  const alone = { label: input.label, step, utilisation, changes: [], severalChanges: false };
  const toBaseline = compareRungs(inputs[0], input);
  const cumulativeSpeedup = 'speedup' in toBaseline ? toBaseline.speedup : null;
  const before = inputs.findLastIndex((rung, i) => i < index && stepOf(rung) !== null);
  if (index === 0 || before < 0) {
    const reason = 'reason' in toBaseline ? toBaseline.reason : null;
    const verdict = index === 0 && !reason ? 'baseline' : 'not-comparable';
    return { ...alone, comparedWith: null, speedup: null, cumulativeSpeedup, verdict, reason };
  }
  const compared = compareRungs(inputs[before], input);
  const changes = changesBetween(inputs[before].configuration, input.configuration);
  return {
    ...alone,
    comparedWith: before,
    speedup: 'speedup' in compared ? compared.speedup : null,
    cumulativeSpeedup,
    verdict: 'speedup' in compared ? verdictOf(compared.speedup) : 'not-comparable',
    reason: 'reason' in compared ? compared.reason : null,
    changes,
    severalChanges: countChanges(changes) > 1,
  };
}

function verdictOf(speedup: number): RungVerdict {
  if (speedup > 1 + RUNG_NOISE_RATIO) return 'keep';
  return speedup < 1 / (1 + RUNG_NOISE_RATIO) ? 'revert' : 'within-noise';
}
