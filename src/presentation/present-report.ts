import { z } from 'zod';
import {
  type Analysis,
  analysisSchema,
  type Finding,
  findingSchema,
  fixSchema,
  rankSchema,
} from '../analysis';
import { meanOfSteps, meanStepSchema } from './mean-of-steps';
import { presentAdvice, presentedAdviceSchema } from './present-advice';
import { formatNs, formatRatio } from './quantity';
import { CAUSE_WORDING } from './wording/causes';
import { FINDING_WORDING, noBottleneckSummary } from './wording/findings';
import { FIX_WORDING } from './wording/fixes';
import { hostSentences } from './wording/host-profile';

/** A fix in words, filled in with the run's own values. */
export const presentedFixSchema = fixSchema.extend({ title: z.string(), how: z.string() });

export const presentedFindingSchema = findingSchema.extend({
  title: z.string(),
  explanation: z.string(),
  verify: z.string(),
  causes: z.array(fixSchema.extend({ text: z.string() })).optional(),
  fixes: z.array(presentedFixSchema),
});

/** The report as clients get it: the analysis and its words. */
export const reportSchema = analysisSchema.extend({
  verdict: analysisSchema.shape.verdict.extend({ summary: z.string() }),
  ranks: z.array(rankSchema.extend({ meanStep: meanStepSchema.nullable().optional() })),
  findings: z.array(presentedFindingSchema),
  advice: presentedAdviceSchema.nullable(),
});

export type Report = z.infer<typeof reportSchema>;
export type PresentedFinding = z.infer<typeof presentedFindingSchema>;

/** Puts an analysis into words. The same words serve the API, the CLI, Markdown and the web application. */
export function presentReport(analysis: Analysis): Report {
  const findings = analysis.findings.map(presentFinding);
  const advice = analysis.advice && presentAdvice(analysis.advice);
  const ranks = analysis.ranks.map((rank) => ({ ...rank, meanStep: meanOfSteps(rank.steps) }));
  const verdict = { ...analysis.verdict, summary: summarize(analysis) };
  return { ...analysis, ranks, advice, verdict, findings };
}

/** Puts a finding into words. */
export function presentFinding(finding: Finding): PresentedFinding {
  const wording = FINDING_WORDING[finding.rule];
  const { causes: given, ...rest } = finding;
  const causes = given?.map((cause) => ({
    ...cause,
    text: CAUSE_WORDING[cause.id]?.(cause.values) ?? cause.id,
  }));
  const { host } = finding.evidence;
  return {
    ...rest,
    ...(causes && { causes }),
    title: wording?.title ?? finding.rule,
    explanation: [wording?.explain(finding) ?? '', ...(host ? [hostSentences(host)] : [])].join(' '),
    verify: wording?.verify ?? '',
    fixes: finding.fixes.map((fix) => {
      const words = FIX_WORDING[fix.id];
      return { ...fix, title: words?.title ?? fix.id, how: words?.how(fix.values) ?? '' };
    }),
  };
}

/** The verdict in one sentence, with the gain as the bound that it is. */
function summarize(analysis: Analysis): string {
  const { findings, verdict } = analysis;
  const first =
    verdict.bottleneck === 'none' ? undefined : (findings.find((f) => f.costNs > 0) ?? findings.at(0));
  if (!first) return noBottleneck(analysis);
  const stepNs = first.costNs + first.expectedStepNs;
  const title = FINDING_WORDING[first.rule]?.title ?? first.rule;
  const why = (first.causes ?? [])
    .slice(0, 1)
    .map(({ id, values }) => ` ${CAUSE_WORDING[id]?.(values) ?? id}`);
  // A run that ended has no step to weigh by.
  if (stepNs === 0) return `${title}.${why.join('')}`;
  return `${title}: ${formatNs(first.costNs)} of the ${formatNs(stepNs)} step (${formatRatio(first.costNs / Math.max(1, stepNs))}); without it the step would take about ${formatNs(first.expectedStepNs)}, and never less than ${formatNs(first.leastStepNs)}.${why.join('')}`;
}

function noBottleneck(analysis: Analysis): string {
  const { stepTime, metrics, ruleOutcomes, problems, kernelClasses } = analysis;
  const metric = (id: string): number | null => metrics.find((m) => m.id === id)?.value ?? null;
  const kernelNs = kernelClasses.reduce((sum, c) => sum + c.totalNs, 0);
  const [top] = kernelClasses;
  const failed = ruleOutcomes.filter((r) => r.outcome === 'failed').length;
  const caveat = failed > 0 ? ` ${failed} of the rules could not be evaluated.` : '';
  const summary = noBottleneckSummary({
    hasTimeline: analysis.ranks.length > 0,
    insteadOf: analysis.operatorTotals
      ? 'operator-totals'
      : analysis.measuredKernels
        ? 'kernel-counters'
        : null,
    stepNs: stepTime.tracedMeanNs === null ? null : (stepTime.unprofiledMedianNs ?? stepTime.tracedMeanNs),
    busyRatio: trueBusyRatio(analysis) ?? metric('gpu-busy-ratio'),
    truncated: problems.some((p) => p.kind === 'truncated-file'),
    roofEfficiency: metric('roof-efficiency'),
    topClass: top && kernelNs > 0 ? { name: top.class, ratio: top.totalNs / kernelNs } : null,
  });
  return summary + caveat + besides(analysis);
}

/** Share of the true step with a kernel; null without step times. */
function trueBusyRatio({ calibratedStep: step }: Analysis): number | null {
  if (!step || step.wallNs === 0) return null;
  return Math.min(1, (step.computeNs + step.exposedTransferNs + step.exposedWaitNs) / step.wallNs);
}

/** From this share of the busy samples on, a clock that is held down is worth a sentence. */
const NOTABLE_THROTTLING = 0.1;

/** What holds nothing back by the step, and still is not as it should be. */
function besides({ monitors, memory }: Analysis): string {
  const slowest = (monitors?.devices ?? [])
    .filter((d) => (d.throttledShare ?? 0) >= NOTABLE_THROTTLING)
    .sort((a, b) => (b.throttledShare ?? 0) - (a.throttledShare ?? 0))
    .at(0);
  const clock = slowest
    ? ` But the clock of device ${slowest.id} is held down (${THROTTLE_WORDING[slowest.throttleCause ?? 'unknown']}) in ${formatRatio(slowest.throttledShare ?? 0)} of its busy samples${slowest.smClockMhz ? `, at ${slowest.smClockMhz.p50.toFixed(0)} MHz` : ''}: the device itself could be faster.`
    : '';
  const failed =
    memory && memory.failureCount > 0
      ? ` Allocations of device memory that failed: ${memory.failureCount}.`
      : '';
  return clock + failed;
}

const THROTTLE_WORDING = { thermal: 'by heat', power: 'by the power limit', unknown: 'by an unknown cause' };
