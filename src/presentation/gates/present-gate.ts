import { baselineFor, type GatePolicy, type GateResult, type GateRuleResult } from '../../analysis';
import { PRESENTED_METRICS } from '../present-catalog';
import { describeGateBaseline, describeGateRule } from '../wording/gates';
import { BASELINE_RUNS_SHOWN, type GateEvaluation, type GateRuleAnswer } from './gate-evaluation';

/** What belongs to an evaluation beside its result. */
export type GateContext = Pick<GateEvaluation, 'run' | 'links'> & {
  policy: { name: string | null; revision: number | null; content: GatePolicy };
};

/** The result of a gate with its words. */
export function presentGate({ outcome, rules: results }: GateResult, context: GateContext): GateEvaluation {
  const { name, revision, content } = context.policy;
  const rules = results.map((result) => presentRule(result, content));
  return {
    outcome,
    reasons: reasonsOf(rules),
    policy: { name, revision, whenInconclusive: content.whenInconclusive },
    run: context.run,
    rules,
    links: context.links,
    compare: compareOf(rules, context.run.id),
  };
}

function compareOf(rules: readonly GateRuleAnswer[], runId: string): GateEvaluation['compare'] {
  const compared = rules.filter(({ baseline }) => baseline !== null);
  const { baseline = null } = compared.find(({ outcome }) => outcome === 'fail') ?? compared.at(0) ?? {};
  return (
    baseline && { before: { runIds: baseline.runsUsed.map((one) => one.runId) }, after: { runIds: [runId] } }
  );
}

function presentRule(result: GateRuleResult, policy: GatePolicy): GateRuleAnswer {
  const { rule, outcome, countsAs, reason, value, repeats, worseRatio, noiseRatio, baseline } = result;
  const metric = PRESENTED_METRICS.find(({ id }) => id === rule.metric);
  const unit = metric?.unit ?? '';
  const wanted = baselineFor(rule, policy);
  const isBetterBelow = metric?.direction === 'lower-is-better';
  const allowed = rule.maxWorseRatio ?? null;
  return {
    ...{ metric: rule.metric, name: metric?.name ?? rule.metric, unit, outcome, countsAs, reason },
    ...describeGateRule(result, unit),
    ...{ value, repeats, worseRatio, noiseRatio },
    changeRatio: worseRatio === null || isBetterBelow ? worseRatio : -worseRatio,
    baseline:
      baseline && wanted
        ? {
            description: describeGateBaseline(wanted),
            ...{ median: baseline.median, low: baseline.low, high: baseline.high },
            ...{ commits: baseline.commits, runs: baseline.runs.length },
            runsUsed: baseline.runs.slice(-BASELINE_RUNS_SHOWN).map(({ runId, commit, at, value }) => {
              return { runId, commit, at, value };
            }),
          }
        : null,
    bound: {
      maxWorseRatio: allowed,
      worstAllowed:
        baseline && allowed !== null
          ? baseline.median + (isBetterBelow ? 1 : -1) * allowed * Math.abs(baseline.median)
          : null,
      min: rule.min ?? null,
      max: rule.max ?? null,
    },
  };
}

const GRAVITY: readonly GateRuleAnswer['countsAs'][] = ['fail', 'inconclusive', 'pass'];

/** A sentence for each rule that did not pass; one for all when there is none. */
function reasonsOf(rules: readonly GateRuleAnswer[]): string[] {
  const judged = rules.filter(({ countsAs }) => countsAs !== null);
  if (judged.length === 0) return ['No rule of the policy is for runs of this model, cluster and workload.'];
  const open = judged.filter(({ outcome }) => outcome !== 'pass');
  if (open.length === 0) return [`Every rule that applies holds (${judged.length}).`];
  return open
    .sort((a, b) => GRAVITY.indexOf(a.countsAs) - GRAVITY.indexOf(b.countsAs))
    .map(({ name, outcome, countsAs, explanation }) => {
      const counted = outcome === countsAs ? '' : ` (inconclusive, which this policy takes for ${countsAs})`;
      return `${name}: ${explanation}${counted}.`;
    });
}
