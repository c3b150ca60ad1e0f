import { type GateEvaluation, type GateRuleAnswer } from './gate-evaluation';
import { describePolicy } from './render-gate-text';

/** What a gate says as JUnit XML, one test case for each rule; inconclusive is skipped with its reason. */
export function renderGateJunit({ outcome, reasons, rules, run, policy }: GateEvaluation): string {
  const whole = { name: 'gate', countsAs: outcome, text: reasons.join('\n'), message: reasons[0] ?? outcome };
  // A gate of which no rule was judged is one test case, so that its answer is not lost.
  const cases = rules.some(({ countsAs }) => countsAs !== null) ? rules.map(caseOf) : [whole];
  const counted = (what: string) =>
    cases.filter(({ countsAs }) => (countsAs ?? 'inconclusive') === what).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite${attributes({ name: `stallscope gate: ${describePolicy(policy)}`, tests: cases.length, failures: counted('fail'), errors: 0, skipped: counted('inconclusive') })}>`,
    '    <properties>',
    ...Object.entries({
      outcome,
      runId: run.id,
      model: run.model,
      cluster: run.cluster,
      commit: run.commit ?? '',
    }).map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
    ...cases.flatMap(caseLines),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

interface TestCase {
  name: string;
  countsAs: GateRuleAnswer['countsAs'];
  message: string;
  text: string;
}

function caseOf({ name, metric, countsAs, explanation, help }: GateRuleAnswer, index: number): TestCase {
  const text = [`${name}: ${explanation}.`, ...(help === null ? [] : [help])].join('\n');
  return { name: `${index + 1}. ${metric}`, countsAs, message: explanation, text };
}

function caseLines({ name, countsAs, message, text }: TestCase): string[] {
  const open = `    <testcase${attributes({ classname: 'stallscope.gate', name, time: 0 })}>`;
  const body =
    countsAs === 'fail'
      ? `<failure${attributes({ message, type: 'gate' })}>${escapeXml(text)}</failure>`
      : countsAs === 'pass'
        ? `<system-out>${escapeXml(text)}</system-out>`
        : `<skipped${attributes({ message })}/>`;
  return [open, `      ${body}`, '    </testcase>'];
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replace(/\n/g, '&#10;')}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML 1.0 has no way to write most control characters, lone surrogates and two others: they become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
