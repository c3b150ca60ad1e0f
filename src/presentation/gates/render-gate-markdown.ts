import { formatFigure, formatRatio } from '../quantity';
import { type GateEvaluation, type GateRuleAnswer } from './gate-evaluation';
import { describeBound, describePolicy } from './render-gate-text';

const ICONS: Readonly<Record<GateRuleAnswer['outcome'], string>> = {
  pass: '✅ pass',
  fail: '❌ fail',
  inconclusive: '⚠️ inconclusive',
  'not-applicable': '➖ not for this run',
};

/** What a gate says, short enough for a pull request; details are folded away. */
export function renderGateMarkdown({ outcome, reasons, rules, run, policy, links }: GateEvaluation): string {
  const named = policy.name === null ? '' : ` · policy ${escape(describePolicy(policy))}`;
  const lines = [
    `## Stallscope gate: ${ICONS[outcome]}`,
    '',
    ...reasons.map((reason) => `- ${escape(reason)}`),
    '',
    ...(rules.length === 0 ? [] : table(rules)),
    `${linkList(links)}${named}`,
    '',
    ...details(rules, run),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function table(rules: readonly GateRuleAnswer[]): string[] {
  return [
    '| metric | result | this run | baseline | change | allowed |',
    '|---|---|--:|--:|--:|--:|',
    ...rules.map((rule) => {
      const { name, outcome, value, unit, baseline, changeRatio } = rule;
      const cells = [
        escape(name),
        ICONS[outcome],
        value === null ? '–' : formatFigure({ value, unit }),
        baseline ? formatFigure({ value: baseline.median, unit }) : '–',
        changeRatio === null ? '–' : `${changeRatio < 0 ? '−' : '+'}${formatRatio(Math.abs(changeRatio))}`,
        describeBound(rule) || '–',
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
  ];
}

function details(rules: readonly GateRuleAnswer[], run: GateEvaluation['run']): string[] {
  const about = [run.model, run.cluster, run.workload, run.branch, run.commit].flatMap((one) => one || []);
  return [
    '<details><summary>Details</summary>',
    '',
    `Run ${run.id}${about.length > 0 ? `: ${about.map(escape).join(', ')}` : ''}`,
    '',
    ...rules.flatMap(({ name, explanation, help, baseline, noiseRatio, unit }) => [
      `- **${escape(name)}**: ${escape(explanation)}.${help === null ? '' : ` ${escape(help)}`}`,
      ...(baseline
        ? [
            `  - baseline: ${escape(baseline.description)}; ${formatFigure({ value: baseline.low, unit })} to ${formatFigure({ value: baseline.high, unit })} over ${baseline.commits} commits, ${baseline.runs} runs`,
          ]
        : []),
      ...(noiseRatio === null ? [] : [`  - chance moves it by up to ${formatRatio(noiseRatio)}`]),
    ]),
    '',
    '</details>',
  ];
}

function linkList(links: GateEvaluation['links']): string {
  return Object.entries(links)
    .flatMap(([name, link]) =>
      link === null ? [] : [`[${name}](${link.replace(/[()<>\s]/g, encodeURIComponent)})`],
    )
    .join(' · ');
}

/** Names come from outside: nothing in them may become markup, a link, or a mention of somebody. */
function escape(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_[\]>|#~]/g, '\\$&')
    .replace(/@|:(?=\/\/)/g, '$&\u200b');
}
