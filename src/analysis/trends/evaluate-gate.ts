import { type Metric } from '../metrics/define-metric';
import {
  type BaselineFigures,
  type BaselineRun,
  chanceOf,
  describeBaseline,
  latestCommits,
} from './gate-baseline';
import { baselineFor, evidenceFor, type GatePolicy, type GateRule, isInScope } from './gate-policy';
import { median } from './robust-statistics';

export const GATE_OUTCOMES = ['pass', 'fail', 'inconclusive'] as const;
export type GateOutcome = (typeof GATE_OUTCOMES)[number];

/** Why a baseline has no runs, where that is not for want of history. */
export const BASELINE_FAULTS = [
  'run-not-in-a-series',
  'baseline-run-missing',
  'baseline-run-not-comparable',
  'baseline-run-not-measured',
  'baseline-run-later',
  'baseline-run-same-commit',
  'baseline-run-regressed',
] as const;

/** Stable codes of why a rule has its outcome. */
export const GATE_REASONS = [
  'within-limits',
  'worse-than-allowed',
  'below-minimum',
  'above-maximum',
  'out-of-scope',
  'run-failed',
  'unknown-metric',
  'not-measured',
  'no-direction',
  'too-little-evidence',
  'baseline-is-zero',
  'noise-hides-the-limit',
  ...BASELINE_FAULTS,
] as const;
export type GateReason = (typeof GATE_REASONS)[number];

/** The run that wants to pass. */
export interface GateSubject {
  model: string;
  cluster: string;
  workload: string;
  /** Why its analysis failed, in words; null when it did not. */
  failure: string | null;
}

/** What is known of one rule's metric. */
export interface GateEvidence {
  /** Undefined when this release knows no such metric. */
  direction: Metric['direction'] | undefined;
  /** Values of the run and of earlier runs of its commit, which repeat it. */
  values: readonly number[];
  /** Why there is no value, in words. */
  notMeasured: string | null;
  /** The runs before it that it may be compared with, oldest first. */
  baseline: readonly BaselineRun[];
  /** In what runs that look like a baseline differ, where none is comparable; in words. */
  unlike?: string | null;
  /** Why there are none, and what of that is worth knowing. */
  fault: { reason: (typeof BASELINE_FAULTS)[number]; detail: string | null } | null;
}

export interface GateRuleResult {
  rule: GateRule;
  outcome: GateOutcome | 'not-applicable';
  /** What the gate makes of it; null where the rule does not apply. */
  countsAs: GateOutcome | null;
  reason: GateReason;
  /** Words of the run or of its conditions that belong to the reason. */
  detail: string | null;
  value: number | null;
  /** Runs of the commit that the value is the median of. */
  repeats: number;
  baseline: BaselineFigures | null;
  /** How much worse than the baseline, as a share; negative is better. */
  worseRatio: number | null;
  /** Changes smaller than this share cannot be told from chance. */
  noiseRatio: number | null;
}

export interface GateResult {
  outcome: GateOutcome;
  rules: GateRuleResult[];
}

/**
 * Judges a run by a policy. `evidence` has one entry for each rule, in their order. A rule without evidence is inconclusive,
 * never passed; a gate of which no rule applies has judged nothing, and is inconclusive too.
 */
export function evaluateGate(
  policy: GatePolicy,
  subject: GateSubject,
  evidence: readonly GateEvidence[],
): GateResult {
  const rules = policy.rules.map((rule, i) => {
    const result = evaluateRule(rule, policy, subject, evidence[i]);
    return { ...result, countsAs: countsAs(result, policy) };
  });
  const counted = new Set(rules.map((one) => one.countsAs));
  if (counted.has('fail')) return { outcome: 'fail', rules };
  if (counted.has('inconclusive')) return { outcome: 'inconclusive', rules };
  return { outcome: counted.has('pass') ? 'pass' : policy.whenInconclusive, rules };
}

type Judgement = Omit<GateRuleResult, 'countsAs'>;

function countsAs({ rule, outcome }: Judgement, policy: GatePolicy): GateOutcome | null {
  if (outcome === 'not-applicable') return null;
  return outcome === 'inconclusive' ? (rule.whenInconclusive ?? policy.whenInconclusive) : outcome;
}

function evaluateRule(
  rule: GateRule,
  policy: GatePolicy,
  subject: GateSubject,
  evidence: GateEvidence,
): Judgement {
  const unknown: Judgement = {
    ...{ rule, outcome: 'inconclusive', reason: 'not-measured', detail: null, value: null, repeats: 0 },
    ...{ baseline: null, worseRatio: null, noiseRatio: null },
  };
  if (!isInScope(rule, subject)) return { ...unknown, outcome: 'not-applicable', reason: 'out-of-scope' };
  if (subject.failure !== null) return { ...unknown, reason: 'run-failed', detail: subject.failure };
  if (evidence.direction === undefined) return { ...unknown, reason: 'unknown-metric' };
  if (evidence.values.length === 0) return { ...unknown, detail: evidence.notMeasured };
  const value = median(evidence.values);
  const measured = { ...unknown, value, repeats: evidence.values.length };
  const compared =
    rule.maxWorseRatio === undefined
      ? { ...measured, outcome: 'pass' as const, reason: 'within-limits' as const }
      : compare(measured, value, rule.maxWorseRatio, policy, evidence);
  // An absolute bound needs no baseline, and what it refuses no comparison excuses.
  if (rule.min !== undefined && value < rule.min)
    return { ...compared, outcome: 'fail', reason: 'below-minimum' };
  if (rule.max !== undefined && value > rule.max)
    return { ...compared, outcome: 'fail', reason: 'above-maximum' };
  return compared;
}

function inWords({ commits, runs }: GatePolicy['minimumEvidence']): string {
  return `${commits} commits${runs === undefined ? '' : ` and ${runs} runs`}`;
}

function compare(
  result: Judgement,
  value: number,
  maxWorseRatio: number,
  policy: GatePolicy,
  { direction, baseline: known, fault, unlike = null }: GateEvidence,
): Judgement {
  if (direction === 'neutral') return { ...result, reason: 'no-direction' };
  if (fault) return { ...result, ...fault };
  const wanted = baselineFor(result.rule, policy);
  const isPinned = wanted?.kind === 'run';
  const runs = wanted && !isPinned ? latestCommits(known, wanted.commits) : known;
  const baseline = runs.length === 0 ? null : describeBaseline(runs);
  const needed = evidenceFor(result.rule, policy);
  const isEnough =
    isPinned || (baseline && baseline.commits >= needed.commits && runs.length >= (needed.runs ?? 1));
  const few = { ...result, baseline, reason: 'too-little-evidence' as const };
  if (!baseline) return { ...few, detail: unlike };
  if (!isEnough) return { ...few, detail: inWords(needed) };
  const worse = direction === 'lower-is-better' ? value - baseline.median : baseline.median - value;
  if (baseline.median === 0) {
    // Shares of nothing do not exist, but not worse than nothing is within every limit.
    return worse <= 0
      ? { ...result, baseline, outcome: 'pass', reason: 'within-limits' }
      : { ...result, baseline, reason: 'baseline-is-zero' };
  }
  const level = Math.abs(baseline.median);
  const chance = chanceOf(baseline, result.repeats);
  const worseRatio = worse / level;
  const noiseRatio = chance === null ? null : chance / level;
  const figures = { ...result, baseline, worseRatio, noiseRatio };
  const isHidden =
    noiseRatio !== null && noiseRatio > maxWorseRatio && Math.abs(worseRatio - maxWorseRatio) < noiseRatio;
  if (isHidden) return { ...figures, reason: 'noise-hides-the-limit' };
  return worseRatio > maxWorseRatio
    ? { ...figures, outcome: 'fail', reason: 'worse-than-allowed' }
    : { ...figures, outcome: 'pass', reason: 'within-limits' };
}
