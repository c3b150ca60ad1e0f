import { type GateBaseline, type GateReason, type GateRuleResult } from '../../analysis';
import { formatFigure, formatRatio } from '../quantity';

interface GateWording {
  explain: (result: GateRuleResult, show: (value: number | null) => string) => string;
  /** What would help; null where nothing is wrong. */
  help: string | null;
}

const change = ({ worseRatio }: GateRuleResult) =>
  worseRatio === null
    ? 'as good as its baseline'
    : worseRatio > 0
      ? `${formatRatio(worseRatio)} worse than its baseline`
      : `${formatRatio(-worseRatio)} better than its baseline`;
const allowed = ({ rule }: GateRuleResult) => formatRatio(rule.maxWorseRatio ?? 0);
const because = ({ detail }: GateRuleResult) => (detail === null ? '' : `: ${detail}`);

/** Words by reason. A reason without words does not compile. */
const GATE_WORDING: Readonly<Record<GateReason, GateWording>> = {
  'within-limits': {
    explain: (result, show) =>
      result.baseline
        ? `${show(result.value)} is ${change(result)}, within the limit`
        : `${show(result.value)} is within the limit`,
    help: null,
  },
  'worse-than-allowed': {
    explain: (result, show) => `${show(result.value)} is ${change(result)}; ${allowed(result)} is allowed`,
    help: 'Read the report of the run for where the time went, and compare it with the baseline.',
  },
  'below-minimum': {
    explain: (result, show) =>
      `${show(result.value)} is below the minimum of ${show(result.rule.min ?? null)}`,
    help: 'Read the report of the run for what holds it back.',
  },
  'above-maximum': {
    explain: (result, show) =>
      `${show(result.value)} is above the maximum of ${show(result.rule.max ?? null)}`,
    help: 'Read the report of the run for what holds it back.',
  },
  'out-of-scope': {
    explain: () => 'the rule is not for runs of this model, cluster and workload',
    help: null,
  },
  'run-failed': {
    explain: (result) => `the analysis of the run failed${because(result)}`,
    help: 'Mend what the reason says and upload the run again.',
  },
  'unknown-metric': {
    explain: (result) => `this release has no metric ${result.rule.metric}`,
    help: 'Save the policy with a metric of GET /v1/metrics-catalogue.',
  },
  'not-measured': {
    explain: (result) => `not measurable${because(result) || ': the report has no such figure'}`,
    help: 'Record what the reason says is missing.',
  },
  'no-direction': {
    explain: (result) => `neither way of ${result.rule.metric} is worse`,
    help: 'Give min or max instead of maxWorseRatio.',
  },
  'too-little-evidence': {
    explain: (result) =>
      result.baseline
        ? `the baseline has ${count(result.baseline.commits, 'commit')} and ${count(result.baseline.runs.length, 'run')} before this one; the policy asks for ${result.detail ?? 'more'}`
        : `the baseline has no comparable run before this one${because(result)}`,
    help: 'Upload runs of more commits of the baseline with the same model, cluster, workload and conditions, or ask for less in minimumEvidence.',
  },
  'baseline-is-zero': {
    explain: (result, show) => `${show(result.value)} against a baseline of 0 is no share`,
    help: 'Give max or min instead of maxWorseRatio.',
  },
  'noise-hides-the-limit': {
    explain: (result) =>
      `the run is ${change(result)}, but its series varies by ${formatRatio(result.noiseRatio ?? 0)} by chance, so that ${allowed(result)} cannot be told`,
    help: 'Run the same commit some times more (repeats count together), calm the cluster, or allow a change above the noise.',
  },
  'run-not-in-a-series': {
    explain: () => 'the run is in no series, so that nothing is known to be comparable',
    help: 'Ask for a new analysis of the run.',
  },
  'baseline-run-missing': {
    explain: () => 'there is no pinned run with this id that this credential may see',
    help: 'Pin a run that is there.',
  },
  'baseline-run-not-comparable': {
    explain: (result) => `the pinned run is not comparable${because(result)}`,
    help: 'Pin a run of the same conditions.',
  },
  'baseline-run-not-measured': {
    explain: (result) => `the pinned run has no value${because(result)}`,
    help: 'Pin a run that was recorded with what the metric needs.',
  },
  'baseline-run-later': {
    explain: () => 'the pinned run ran after this one, which is judged by its past only',
    help: 'Pin an earlier run, or say with startedAt when the runs took place.',
  },
  'baseline-run-same-commit': {
    explain: () => 'the pinned run is of the commit that is judged',
    help: 'Pin a run of another commit.',
  },
  'baseline-run-regressed': {
    explain: () => 'the pinned run is part of a regression',
    help: 'Pin a run from before it, or resolve the regression as accepted.',
  },
};

/** Why a rule has its outcome, and what would help. */
export function describeGateRule(
  result: GateRuleResult,
  unit: string,
): { explanation: string; help: string | null } {
  const { explain, help } = GATE_WORDING[result.reason];
  return { explanation: explain(result, (value) => formatFigure({ value, unit })), help };
}

/** What a rule compares with, in words. */
export function describeGateBaseline(baseline: GateBaseline): string {
  switch (baseline.kind) {
    case 'branch':
      return `latest ${count(baseline.commits, 'commit')} of branch ${baseline.branch}`;
    case 'tag':
      return `latest ${count(baseline.commits, 'commit')} with tag ${baseline.tag}`;
    case 'run':
      return `run ${baseline.runId}`;
  }
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
