import { type Metric } from '../metrics/define-metric';
import { type GatePolicy, type GateRule } from './gate-policy';
import { levelOf } from './level';
import { median } from './robust-statistics';

export const GATE_OUTCOMES = ['pass', 'fail', 'inconclusive'] as const;
export type GateOutcome = (typeof GATE_OUTCOMES)[number];

/** What is known of one metric when a gate is evaluated. */
export interface GateEvidence {
  direction: Metric['direction'];
  /** Values of the runs that want to pass; more than one are repeats of one commit. */
  candidates: readonly number[];
  /** Why there is no value, where there is none. */
  reason: string | null;
  /** Values of the baseline's runs. */
  baseline: readonly number[];
}

export interface GateRuleResult {
  rule: GateRule;
  outcome: GateOutcome;
  /** Stable code of why. */
  reason:
    | 'within-limits'
    | 'worse-than-allowed'
    | 'below-minimum'
    | 'above-maximum'
    | 'not-measured'
    | 'no-direction'
    | 'too-few-baseline-runs'
    | 'noise-hides-the-limit';
  /** What the run did not measure, in words; null otherwise. */
  detail: string | null;
  value: number | null;
  baselineMedian: number | null;
  baselineRuns: number;
  /** How much worse than the baseline, as a share; negative is better. */
  worseRatio: number | null;
  /** Changes smaller than this share cannot be told from noise. */
  noiseRatio: number | null;
}

export interface GateResult {
  outcome: GateOutcome;
  rules: GateRuleResult[];
}

/** So many standard errors are taken for the reach of chance. */
const NOISE_REACH = 2;

/** Judges the candidates by a policy. A rule without evidence is inconclusive, never passed. */
export function evaluateGate(policy: GatePolicy, evidence: ReadonlyMap<string, GateEvidence>): GateResult {
  const rules = policy.rules.map((rule) => evaluateRule(rule, evidence.get(rule.metric), policy));
  const has = (outcome: GateOutcome) => rules.some((one) => one.outcome === outcome);
  if (has('fail')) return { outcome: 'fail', rules };
  return { outcome: has('inconclusive') ? policy.onInconclusive : 'pass', rules };
}

function evaluateRule(
  rule: GateRule,
  evidence: GateEvidence | undefined,
  policy: GatePolicy,
): GateRuleResult {
  const result: GateRuleResult = {
    rule,
    outcome: 'inconclusive',
    reason: 'not-measured',
    detail: evidence?.reason ?? null,
    value: null,
    baselineMedian: null,
    baselineRuns: evidence?.baseline.length ?? 0,
    worseRatio: null,
    noiseRatio: null,
  };
  if (!evidence || evidence.candidates.length === 0) return result;
  const value = median(evidence.candidates);
  const measured = { ...result, detail: null, value };
  if (rule.min !== undefined && value < rule.min)
    return { ...measured, outcome: 'fail', reason: 'below-minimum' };
  if (rule.max !== undefined && value > rule.max)
    return { ...measured, outcome: 'fail', reason: 'above-maximum' };
  if (rule.maxWorseRatio === undefined) return { ...measured, outcome: 'pass', reason: 'within-limits' };
  return compare(measured, value, rule.maxWorseRatio, evidence, policy.minimumRuns);
}

function compare(
  result: GateRuleResult,
  value: number,
  maxWorseRatio: number,
  { direction, candidates, baseline }: GateEvidence,
  minimumRuns: number,
): GateRuleResult {
  if (direction === 'neutral') return { ...result, reason: 'no-direction' };
  if (baseline.length < minimumRuns) return { ...result, reason: 'too-few-baseline-runs' };
  const level = median(baseline);
  if (level === 0) return { ...result, baselineMedian: level, reason: 'noise-hides-the-limit' };
  const change = (value - level) / Math.abs(level);
  const worseRatio = direction === 'lower-is-better' ? change : -change;
  const spread = levelOf(baseline).sigma / Math.abs(level);
  const noiseRatio = NOISE_REACH * spread * Math.sqrt(1 / candidates.length + Math.PI / 2 / baseline.length);
  const figures = { ...result, baselineMedian: level, worseRatio, noiseRatio };
  // A pinned run has no noise of its own that could be known.
  const isHidden = baseline.length > 1 && Math.abs(worseRatio - maxWorseRatio) < noiseRatio;
  if (isHidden && noiseRatio > maxWorseRatio) return { ...figures, reason: 'noise-hides-the-limit' };
  return worseRatio > maxWorseRatio
    ? { ...figures, outcome: 'fail', reason: 'worse-than-allowed' }
    : { ...figures, outcome: 'pass', reason: 'within-limits' };
}
