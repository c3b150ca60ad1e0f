import { formatFigure, formatRatio } from '../quantity';
import { type GateEvaluation, type GateRuleAnswer } from './gate-evaluation';

const MARKS: Readonly<Record<GateRuleAnswer['outcome'], string>> = {
  pass: 'PASS',
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  'not-applicable': 'NOT FOR THIS RUN',
};

/** What a gate says, for a terminal or the log of a job. */
export function renderGateText(evaluation: GateEvaluation): string {
  const { outcome, reasons, run, rules, links, policy } = evaluation;
  const lines = [
    `Gate: ${MARKS[outcome]}`,
    ...reasons.map((reason) => `  ${reason}`),
    '',
    `Run ${run.id} (${[run.model, run.cluster, run.workload, run.branch, run.commit].filter(Boolean).join(', ')})`,
    ...(policy.name === null ? [] : [`Policy ${describePolicy(policy)}`]),
    '',
    ...rules.flatMap(ruleLines),
    ...linkLines(links),
  ];
  return `${lines.map(printable).join('\n').trimEnd()}\n`;
}

function ruleLines(rule: GateRuleAnswer): string[] {
  const { name, metric, outcome, countsAs, explanation, baseline, help, unit } = rule;
  const show = (value: number | null) => formatFigure({ value, unit });
  const counted = countsAs === null || countsAs === outcome ? '' : `, counts as ${countsAs}`;
  return [
    `${MARKS[outcome]}${counted}  ${name} (${metric})`,
    `  ${explanation}`,
    ...(baseline
      ? [
          `  baseline ${show(baseline.median)} (${show(baseline.low)} to ${show(baseline.high)}; commits: ${baseline.commits}, runs: ${baseline.runs}; ${baseline.description})`,
        ]
      : []),
    ...(describeBound(rule) === '' ? [] : [`  allowed ${describeBound(rule)}`]),
    ...(help === null ? [] : [`  ${help}`]),
    '',
  ];
}

/** What a rule allows, with units. */
export function describeBound({ bound, unit }: GateRuleAnswer): string {
  const show = (value: number) => formatFigure({ value, unit });
  const { maxWorseRatio, worstAllowed, min, max } = bound;
  return [
    ...(maxWorseRatio === null
      ? []
      : [`${formatRatio(maxWorseRatio)} worse${worstAllowed === null ? '' : ` (${show(worstAllowed)})`}`]),
    ...(min === null ? [] : [`at least ${show(min)}`]),
    ...(max === null ? [] : [`at most ${show(max)}`]),
  ].join(', ');
}

/** Name and revision of a policy; its name may have told the revision. */
export function describePolicy({ name, revision }: GateEvaluation['policy']): string {
  if (name === null) return 'inline';
  return revision === null ? name : `${name} (revision ${revision})`;
}

function linkLines(links: GateEvaluation['links']): string[] {
  return Object.entries(links).flatMap(([name, link]) => (link === null ? [] : [`${name}: ${link}`]));
}

/** Names come from outside: nothing in them may steer a terminal. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}
