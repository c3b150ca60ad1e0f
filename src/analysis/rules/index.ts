import { type OptionsInUse } from '../advice/options-in-use';
import { type RunFacts } from '../attribution/run-facts';
import { type Finding, type RuleOutcome } from '../report-schema';
import { type ProblemLog } from '../timeline/problem';
import { allocatorChurn } from './allocator-churn';
import { arithmeticIntensity } from './arithmetic-intensity';
import { communication } from './communication';
import { type Rule, toFinding } from './define-rule';
import { hostCpu } from './host-cpu';
import { inputPipeline } from './input-pipeline';
import { launchOverhead } from './launch-overhead';
import { outOfMemory } from './out-of-memory';
import { recompute } from './recompute';
import { stepJitter } from './step-jitter';
import { straggler } from './straggler';

/** Every rule. One line adds one; the order decides between equal costs only. */
export const RULES: readonly Rule[] = [
  inputPipeline,
  hostCpu,
  allocatorChurn,
  recompute,
  communication,
  straggler,
  launchOverhead,
  arithmeticIntensity,
  stepJitter,
  outOfMemory,
];

/** Asks every rule; findings costliest first. A rule that breaks costs only itself and is reported. */
export function applyRules(
  facts: RunFacts,
  options: OptionsInUse,
  problems: ProblemLog,
  rules: readonly Rule[] = RULES,
): { findings: Finding[]; outcomes: RuleOutcome[] } {
  const findings: Finding[] = [];
  const outcomes: RuleOutcome[] = [];
  for (const rule of rules) {
    try {
      const answer = rule.diagnose(facts, options);
      if (answer.outcome === 'finding') findings.push(toFinding(rule, answer.diagnosis, facts.step));
      outcomes.push({
        rule: rule.id,
        outcome: answer.outcome,
        reason: answer.outcome === 'finding' ? null : answer.reason,
      });
    } catch (error) {
      problems.add('rule-failed', '', 1, `${rule.id}: ${String(error)}`);
      outcomes.push({ rule: rule.id, outcome: 'failed', reason: String(error) });
    }
  }
  return { findings: findings.sort((a, b) => costShare(b) - costShare(a)), outcomes };
}

/** Findings are measured against different steps (traced or not), so shares are compared, not times. */
function costShare({ costNs, expectedStepNs }: Finding): number {
  return costNs / Math.max(1, costNs + expectedStepNs);
}
