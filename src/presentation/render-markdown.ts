import { adviceSections } from './advice-sections';
import { evidenceSections } from './evidence-sections';
import { measuredSection } from './measured-section';
import { totalsSections } from './totals-section';
import { hostProfileSection } from './host-profile-section';
import { rooflineSection } from './roofline-section';
import { formatFigure, formatNs, formatRatio } from './quantity';
import { plainText } from './plain-text';
import { type Report } from './present-report';
import { meanBreakdown } from './mean-breakdown';

/** The report as Markdown, short enough for a pull request. */
export function renderMarkdown(report: Report): string {
  const lines = [
    `## Stallscope: ${report.verdict.bottleneck}`,
    '',
    `**${escape(report.verdict.summary)}** (confidence: ${report.verdict.confidence})`,
    '',
    ...breakdownTable(report),
    ...findings(report),
    ...advice(report),
    ...problems(report),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function breakdownTable(report: Report): string[] {
  const mean = meanBreakdown(report);
  if (!mean) return [];
  const wallNs = mean.trueWallNs ?? mean.wallNs;
  const known = mean.trueWallNs !== null;
  return [
    `| where the mean step goes | ${known ? 'true step | ' : ''}traced | share |`,
    `|---|${known ? '--:|' : ''}--:|--:|`,
    `| **step** | ${known ? `${formatNs(wallNs)} | ` : ''}${formatNs(mean.wallNs)} | |`,
    ...mean.parts.map(({ label, ns, trueNs, indent }) => {
      const times = trueNs === null ? formatNs(ns) : `${formatNs(trueNs)} | ${formatNs(ns)}`;
      return `| ${indent ? '&nbsp;&nbsp;' : ''}${label} | ${times} | ${formatRatio((trueNs ?? ns) / wallNs)} |`;
    }),
    '',
  ];
}

function findings(report: Report): string[] {
  return report.findings.flatMap((finding, i) => [
    `### ${i + 1}. ${escape(finding.title)} (${finding.severity}, confidence ${finding.confidence})`,
    '',
    escape(finding.explanation),
    '',
    ...(finding.causes ?? []).map(({ text }) => `- ${escape(text)}`),
    ...((finding.causes ?? []).length > 0 ? [''] : []),
    ...finding.evidence.operations
      .slice(0, 3)
      .map((o) => `- \`${code(o.name)}\` — ${o.kind}, ${o.count} times, ${formatNs(o.totalNs)}`),
    '',
    ...finding.fixes.map((fix, n) => `${n + 1}. **${escape(fix.title)}** — ${escape(fix.how)}`),
    '',
    `How to verify: ${escape(finding.verify)}`,
    '',
  ]);
}

/** The advice folded away: a pull request shows the verdict, who wants more opens it. */
function advice(report: Report): string[] {
  const { advice: given, roofline, measuredKernels, operatorTotals, hostProfile, ranks } = report;
  const sections = [
    ...(given ? adviceSections(given) : []),
    ...evidenceSections(report),
    ...(roofline ? [rooflineSection(roofline)] : []),
    ...(measuredKernels ? [measuredSection(measuredKernels)] : []),
    ...(operatorTotals ? totalsSections(operatorTotals, ranks.length > 0) : []),
    ...(hostProfile ? [hostProfileSection(hostProfile)] : []),
  ];
  return sections.flatMap(({ title, about, rows }) => [
    `<details><summary>${title}</summary>`,
    '',
    ...(about ? [escape(about), ''] : []),
    '| | | |',
    '|---|---|---|',
    ...rows.map(({ label, value, text, strong }) => {
      const cells = [label, value, text].map(escape);
      return `| ${strong ? `**${cells[0]}**` : cells[0]} | ${cells[1]} | ${cells[2]} |`;
    }),
    '',
    ...rows
      .filter((row) => row.lines.length > 0)
      .flatMap((row) => ['```sh', ...row.lines.map(codeLine), '```', '']),
    '</details>',
    '',
  ]);
}

/** A line inside a fence: nothing in it may close the fence. */
function codeLine(line: string): string {
  return line.replace(/[\r\n]+/g, ' ').replace(/```/g, "'''");
}

function problems(report: Report): string[] {
  const shown = report.problems.filter((p) => p.severity !== 'info');
  if (shown.length === 0) return [];
  return [
    '### Problems of the input',
    '',
    ...shown.map(
      (p) => `- ${p.kind} (${formatFigure({ value: p.count, unit: 'count' })}): ${escape(p.advice)}`,
    ),
    '',
  ];
}

/** Names come from the trace: nothing in them may become markup. */
function escape(text: string): string {
  return plainText(text).replace(/[\\`*_[\]<>|#]/g, '\\$&');
}

const MAX_NAME_CHARS = 120;

function code(name: string): string {
  return plainText(name).replace(/[`|]/g, ' ').slice(0, MAX_NAME_CHARS);
}
