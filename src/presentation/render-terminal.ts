import { styleText } from 'node:util';
import { adviceSections } from './advice-sections';
import { evidenceSections } from './evidence-sections';
import { measuredSection } from './measured-section';
import { totalsSections } from './totals-section';
import { hostProfileSection } from './host-profile-section';
import { rooflineSection } from './roofline-section';
import { formatFigure, formatNs, formatRatio } from './quantity';
import { plainText } from './plain-text';
import { meanBreakdown } from './mean-breakdown';
import { type PresentedFinding, type Report } from './present-report';

export interface TerminalOptions {
  color: boolean;
  /** Also roofline, symptoms, options and what to record next; without it only the utilisation panel is shown. */
  full?: boolean;
}

type Paint = (style: 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan', text: string) => string;

const BAR_CHARS = 32;
const MAX_NAME_CHARS = 90;
const MAX_REASON_CHARS = 200;
const LABEL_CHARS = 42;
const VALUE_CHARS = 16;

/** The report for a terminal: verdict, where the step goes, findings with fixes, problems. */
export function renderTerminal(report: Report, { color, full = false }: TerminalOptions): string {
  const paint: Paint = (style, text) => (color ? styleText(style, text) : text);
  const found = report.findings.length > 0;
  const headline =
    report.verdict.bottleneck === 'none' ? 'no bottleneck outside the device' : report.verdict.bottleneck;
  const lines = [
    paint('bold', paint(found ? 'yellow' : 'green', `Verdict: ${headline}`)) +
      paint('dim', `  (confidence: ${report.verdict.confidence})`),
    ...wrap(plainText(report.verdict.summary)),
    '',
    ...breakdown(report, paint),
    ...report.findings.flatMap((finding, i) => renderFinding(finding, i, paint)),
    ...tables(report, full, paint),
    ...notMeasurable(report, paint),
    ...problems(report, paint),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** One row per part; bars and shares are those of the true step where it is known. */
function breakdown(report: Report, paint: Paint): string[] {
  const mean = meanBreakdown(report);
  if (!mean) return [];
  const steps = report.ranks.reduce((sum, r) => sum + r.steps.filter((s) => s.excluded === null).length, 0);
  const known = mean.trueWallNs !== null;
  const wallNs = mean.trueWallNs ?? mean.wallNs;
  const about = `mean of ${steps} steps on ${report.ranks.length} rank(s)`;
  const head = `  ${''.padEnd(30)} ${(known ? 'true step' : 'traced').padStart(10)}${known ? 'traced'.padStart(11) : ''}`;
  const total = `  ${'step'.padEnd(30)} ${formatNs(wallNs).padStart(10)}${known ? formatNs(mean.wallNs).padStart(11) : ''}`;
  return [
    paint('bold', 'Where the step goes') + paint('dim', `  ${about}`),
    paint('dim', head),
    total,
    ...mean.parts.map(({ label, ns, trueNs, indent }) => {
      const share = (trueNs ?? ns) / wallNs;
      const bar = '█'.repeat(Math.round(share * BAR_CHARS)).padEnd(BAR_CHARS, '·');
      const times = `${formatNs(trueNs ?? ns).padStart(10)}${trueNs === null ? '' : formatNs(ns).padStart(11)}`;
      const row = `  ${(indent ? `  ${label}` : label).padEnd(30)} ${times} ${formatRatio(share).padStart(6)}  ${bar}`;
      return indent ? paint('dim', row) : row;
    }),
    '',
  ];
}

function renderFinding(finding: PresentedFinding, index: number, paint: Paint): string[] {
  return [
    paint('bold', `${index + 1}. ${finding.title}`) +
      paint('dim', `  (${finding.severity}, confidence ${finding.confidence})`),
    ...wrap(plainText(finding.explanation), '   '),
    ...(finding.causes ?? []).flatMap(({ text }) => wrap(plainText(text), '   Why: ', '        ')),
    ...finding.evidence.operations.slice(0, 3).map((o) => {
      const rank = o.rank === null ? '' : ` on rank ${o.rank}`;
      return paint(
        'dim',
        `   · ${plainText(o.name).slice(0, MAX_NAME_CHARS)} — ${o.kind}, ${o.count}×, ${formatNs(o.totalNs)}${rank}`,
      );
    }),
    ...finding.fixes.flatMap((fix, n) =>
      wrap(`${n === 0 ? 'Next: ' : ''}${fix.title}. ${plainText(fix.how)}`, '   → ', '     '),
    ),
    ...wrap(`Verify: ${finding.verify}`, '   ').map((line) => paint('dim', line)),
    '',
  ];
}

/** The utilisation panel and what other artifacts say; with `full` also roofline, measured kernels, symptoms, options and what to record next. */
function tables(report: Report, full: boolean, paint: Paint): string[] {
  const { advice, roofline, measuredKernels, operatorTotals, hostProfile } = report;
  // Without a timeline they are all there is.
  const alone = report.ranks.length === 0;
  const [utilisation, ...others] = advice ? adviceSections(advice) : [];
  const sections = [
    ...(utilisation ? [utilisation] : []),
    ...evidenceSections(report),
    ...(full && roofline ? [rooflineSection(roofline)] : []),
    ...((full || alone) && measuredKernels ? [measuredSection(measuredKernels)] : []),
    ...((full || alone) && operatorTotals ? totalsSections(operatorTotals, !alone) : []),
    ...((full || alone) && hostProfile ? [hostProfileSection(hostProfile)] : []),
    ...(full ? others : []),
  ];
  return sections.flatMap(({ title, about, rows }) => [
    paint('bold', title) + (about ? paint('dim', `  ${plainText(about)}`) : ''),
    ...rows.flatMap(({ label, value, text, lines, strong }) => {
      const head = `   ${plainText(label).slice(0, LABEL_CHARS).padEnd(LABEL_CHARS)} ${plainText(value).padEnd(VALUE_CHARS)} `;
      const body = wrap(plainText(text), head, ' '.repeat(head.length)).map((line) => line.trimEnd());
      const shown = strong ? body : body.map((line) => paint('dim', line));
      return [...shown, ...lines.map((line) => paint('cyan', `        ${plainText(line)}`))];
    }),
    '',
  ]);
}

/** Rules that could not be asked, joined where they lack the same thing. */
function notMeasurable(report: Report, paint: Paint): string[] {
  const rulesByReason = new Map<string, string[]>();
  for (const { rule, outcome, reason } of report.ruleOutcomes) {
    if (outcome !== 'not-measurable') continue;
    const key = reason ?? '';
    rulesByReason.set(key, [...(rulesByReason.get(key) ?? []), rule]);
  }
  if (rulesByReason.size === 0) return [];
  const lines = [...rulesByReason].flatMap(([reason, rules]) =>
    wrap(`${rules.join(', ')}: ${plainText(reason)}`, '   '),
  );
  return [paint('bold', 'Not measurable'), ...lines, ''];
}

function problems(report: Report, paint: Paint): string[] {
  if (report.problems.length === 0) return [];
  return [
    paint('bold', 'About the input'),
    ...report.problems.flatMap((p) =>
      wrap(
        plainText(
          `${p.severity}: ${p.kind} (${formatFigure({ value: p.count, unit: 'count' })}) — ${p.advice}${lost(p)}`,
        ),
        '   ',
      ).map((line) => paint('dim', line)),
    ),
    '',
  ];
}

/** Where something was lost: the file, and the reason of the first. */
function lost({ severity, paths, example }: Report['problems'][number]): string {
  if (severity === 'info' || severity === 'repaired') return '';
  return ` (${[paths.at(0), example].filter(Boolean).join(': ').slice(0, MAX_REASON_CHARS)})`;
}

const WIDTH = 110;

/** Breaks text at spaces; the first line begins with `first`, the others with as much white space or `rest`. */
function wrap(text: string, first = '', rest = ' '.repeat(first.length)): string[] {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line];
}
