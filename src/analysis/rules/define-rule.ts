import { type OptionsInUse } from '../advice/options-in-use';
import { type CalibratedStep } from '../attribution/calibrated-step';
import { type RunFacts } from '../attribution/run-facts';
import {
  type Cause,
  type Evidence,
  type Figure,
  type Finding,
  type Fix,
  type Operation,
} from '../report-schema';

/** What a rule answers for a run. */
export type RuleAnswer =
  | { outcome: 'finding'; diagnosis: Diagnosis }
  | { outcome: 'absent'; reason: string }
  | { outcome: 'not-measurable'; reason: string };

/** The rule's part of a finding; id, severity and expected step are added from it. */
export interface Diagnosis {
  /** Exposed time of the mean step that the cause takes. */
  costNs: number;
  /** The step that `costNs` is a part of. */
  stepNs: number;
  /** The run ended by it: no step is left to weigh it by. */
  stopsTheRun?: boolean;
  /** Compute time that the cause itself may give back, ns; none when left out. */
  ownComputeNs?: number;
  confidence: Finding['confidence'];
  evidence: Evidence;
  /** Why it is so, where other artifacts tell. */
  causes?: Cause[];
  fixes: Fix[];
}

/** One rule: a bad state that a run may be in, how it is recognised and what helps. Rules are independent of each other. */
export interface Rule {
  id: string;
  bottleneck: Finding['bottleneck'];
  diagnose(facts: RunFacts, options: OptionsInUse): RuleAnswer;
}

export function defineRule(rule: Rule): Rule {
  return rule;
}

/** A cause that takes less of the step than this is not worth a finding: run-to-run noise is of this order (corpus: step times vary by 1–5 % where the device is the limit). */
export const MIN_SHARE = 0.05;

/** Severity thresholds, shares of the step: a third of the step is the run's problem, a tenth is worth an afternoon. */
const CRITICAL_SHARE = 0.3;
const MAJOR_SHARE = 0.1;

/** Completes a diagnosis into a finding. `step` is the run's, whose compute bounds what any fix can reach. */
export function toFinding(rule: Rule, diagnosis: Diagnosis, step: CalibratedStep | null): Finding {
  const { costNs, stepNs, ownComputeNs = 0, confidence, evidence, causes = [], fixes } = diagnosis;
  const bounded = Math.min(Math.round(costNs), Math.round(stepNs));
  const share = stepNs > 0 ? bounded / stepNs : 0;
  return {
    rule: rule.id,
    bottleneck: rule.bottleneck,
    severity:
      diagnosis.stopsTheRun || share >= CRITICAL_SHARE
        ? 'critical'
        : share >= MAJOR_SHARE
          ? 'major'
          : 'minor',
    confidence,
    costNs: bounded,
    expectedStepNs: Math.round(stepNs) - bounded,
    leastStepNs: leastStepNs(step, ownComputeNs, Math.round(stepNs) - bounded),
    evidence,
    ...(causes.length > 0 && { causes }),
    fixes,
  };
}

/**
 * Compute that is left when the cause gives back its own. Communication and copies may all come to lie under compute once
 * the host keeps up, so they bound nothing. Never above the estimate.
 */
function leastStepNs(step: CalibratedStep | null, ownComputeNs: number, expectedNs: number): number {
  if (!step) return expectedNs;
  return Math.min(expectedNs, Math.max(0, Math.round(step.computeNs - ownComputeNs)));
}

export const NO_MEAN_STEP: RuleAnswer = {
  outcome: 'not-measurable',
  reason:
    'the traces have no steps with device activity; record with ProfilerActivity.CPU and ProfilerActivity.CUDA',
};

/** A measured or modelled figure. */
export function figure(
  id: string,
  value: number,
  unit: Figure['unit'],
  source: 'measured' | 'modelled' = 'measured',
): Figure {
  return { id, value, unit, source };
}

export function evidence(
  figures: Figure[],
  operations: Operation[] = [],
  facts?: RunFacts,
  ranks?: number[],
): Evidence {
  const counted =
    facts?.deviceRanks.flatMap((r) => r.steps.filter((s) => s.excluded === null).map((s) => s.index)) ?? [];
  return {
    figures,
    operations,
    ranks: ranks ?? facts?.deviceRanks.map((r) => r.rank) ?? [],
    steps: [...new Set(counted)].sort((a, b) => a - b),
  };
}

/** A cause is an id, which has its text in the presentation, and this run's own values for it. */
export function cause(id: string, values: Cause['values'] = {}): Cause {
  return { id, values };
}

export function fix(id: string, values: Fix['values'] = {}): Fix {
  return { id, values };
}
