import { adviseRun } from './advice/advise-run';
import { optionsInUse } from './advice/options-in-use';
import { attributeRank, type RankAttribution } from './attribution/attribute-rank';
import { type CalibratedStep } from './attribution/calibrated-step';
import { mapIdle } from './attribution/map-idle';
import { gatherFacts, type RunFacts } from './attribution/run-facts';
import { reportOperatorTotals } from './attribution/operator-totals';
import { reportCommunication } from './attribution/straggler';
import {
  type ReadLimits,
  type RunMetadata,
  STEP_TIME_SOURCES,
  type StepTimes,
} from './formats/artifact-format';
import { type OpenScratch } from './formats/scratch';
import { runMetadataOf } from './formats/run-metadata';
import { powerRatioOf } from './evidence/monitor-report';
import { gatherEvidence, type ReadContent } from './evidence/run-evidence';
import { findDisagreements } from './find-disagreements';
import { evaluateMetric } from './metrics/define-metric';
import { METRICS } from './metrics';
import { assignRanks } from './assign-ranks';
import { readArtifact, type ArtifactInput, type ReadArtifact } from './read-artifact';
import { type Analysis, ANALYSIS_VERSION, type RankReport, REPORT_SCHEMA_VERSION } from './report-schema';
import { applyRules } from './rules';
import { InputRefused } from './timeline/input-refused';
import { type ProblemKind, ProblemLog } from './timeline/problem';
import { measureKernels } from './roofline/measured-kernels';
import { computeRoofline } from './roofline/roofline';
import { gpuOverrideOf } from './roofline/gpu-override';
import { utilisationOf } from './roofline/utilisation-figures';
import { uploadedFacts } from './uploaded-facts';

export interface AnalyzeOptions {
  limits: ReadLimits;
  /** Room outside of memory for files that must be read out of order, such as databases. */
  openScratch?: OpenScratch;
  /** What is known of the run beside its artifacts, under the keys of a metadata file; uploaded metadata goes before it. */
  declared?: Record<string, unknown>;
}

/**
 * Analyses all artifacts of one run into one report. Unreadable artifacts become problems of the report.
 *
 * @throws InputRefused when nothing in the run can be analysed; its message is one line for a person.
 */
export async function analyzeRun(
  artifacts: readonly ArtifactInput[],
  { limits, openScratch, declared }: AnalyzeOptions,
): Promise<Analysis> {
  if (artifacts.length === 0)
    throw new InputRefused(
      'nothing-to-read',
      'The run has no artifacts; upload at least one profiler trace.',
    );
  const problems = new ProblemLog();
  const read: ReadArtifact[] = [];
  // One after the other: the memory of one analysis is that of its timelines, not of its files in flight.
  for (const artifact of artifacts) read.push(await readArtifact(artifact, limits, problems, openScratch));
  refuseWhenNothingIsReadable(read);
  const contents = read.flatMap(({ path, content, others }) =>
    (content ? [content, ...others] : []).map((one) => ({ path, content: one })),
  );

  const ranked = assignRanks(read, problems);
  const ranks = ranked.map(({ rank, timeline }) => attributeRank(rank, timeline, problems));
  const facts = gatherFacts(
    ranks,
    stepTimesOf(contents),
    metadataOf(contents, declared),
    problems,
    gatherEvidence(contents),
  );
  // What a file holds besides counts under the name of its kind, which is that of its format.
  const formats = new Set(
    read.flatMap((r) => (r.content ? [r.format, ...r.others.map(({ kind }) => kind)] : [])),
  );
  const override = gpuOverrideOf(facts.metadata, problems);
  const roofline = safely('roofline-failed', problems, () => computeRoofline(facts, override));
  const measured = read.flatMap(({ content }) =>
    content?.kind === 'kernel-measurements' ? [content.measurements] : [],
  );
  const measuredKernels = safely('roofline-failed', problems, () =>
    measureKernels(measured, facts, override),
  );
  const metrics = METRICS.map((metric) => evaluateMetric(metric, facts, roofline));
  const advice = safely('advice-failed', problems, () =>
    adviseRun(facts, {
      formats,
      ...utilisationOf(roofline, facts.step),
      powerRatio: powerRatioOf(facts.evidence.monitors),
    }),
  );
  const { findings, outcomes } = applyRules(facts, optionsInUse(advice?.options ?? []), problems);
  const measurable = facts.meanStep !== null || findings.length > 0;
  // What costs a run with steps no time, such as a failed allocation that it survived, does not hold it back.
  const leading = findings.find(({ costNs }) => costNs > 0 || facts.meanStep === null);
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    analysisVersion: ANALYSIS_VERSION,
    verdict: {
      bottleneck: leading?.bottleneck ?? (measurable ? 'none' : 'not-measurable'),
      confidence: leading?.confidence ?? (measurable ? 'high' : 'low'),
    },
    metadata: uploadedFacts(facts.metadata),
    artifacts: read.map((r) => ({ path: r.path, format: r.format, rank: rankOf(r, ranked) })),
    stepTime: {
      tracedMeanNs: facts.meanStep?.wallNs ?? null,
      unprofiledMedianNs: metrics.find((m) => m.id === 'unprofiled-step-time')?.value ?? null,
    },
    calibratedStep: facts.step?.calibrated ? reportCalibratedStep(facts.step) : null,
    ranks: ranks.map(reportRank),
    metrics,
    findings,
    ruleOutcomes: outcomes,
    kernelClasses: kernelClasses(facts),
    ...topKernels(facts),
    communication: reportCommunication(facts),
    ...facts.evidence,
    disagreements: findDisagreements(facts),
    roofline,
    measuredKernels,
    operatorTotals: reportOperatorTotals(
      read.flatMap(({ content }) => (content?.kind === 'operator-totals' ? [content.totals] : [])),
    ),
    advice,
    problems: problems.list(),
  };
}

/** Roofline and advice are beside the point of a report: a defect in them must not cost the findings. */
function safely<T>(kind: ProblemKind, problems: ProblemLog, make: () => T | null): T | null {
  try {
    return make();
  } catch (error) {
    problems.add(kind, '', 1, String(error));
    return null;
  }
}

/** A run in which every artifact was refused or unknown has no report; the reason of the first one is the run's. */
function refuseWhenNothingIsReadable(read: readonly ReadArtifact[]): void {
  if (read.some((r) => r.content !== null)) return;
  throw (
    read[0].refusal ??
    new InputRefused('unknown-format', `${read[0].path}: not of a kind that Stallscope reads.`)
  );
}

/** The hook's own first: it times each step by itself; a log may tell means, or times between its lines. */
function stepTimesOf(read: readonly ReadContent[]): StepTimes[] {
  return read
    .flatMap(({ content }) => (content?.kind === 'step-times' ? [content.stepTimes] : []))
    .sort((a, b) => STEP_TIME_SOURCES.indexOf(a.source) - STEP_TIME_SOURCES.indexOf(b.source));
}

/** Uploaded metadata first: whoever takes the first that says something takes it from there. */
function metadataOf(read: readonly ReadContent[], declared: AnalyzeOptions['declared']): RunMetadata[] {
  const uploaded = read.flatMap(({ content }) =>
    content?.kind === 'run-metadata' ? [content.metadata] : [],
  );
  return declared ? [...uploaded, runMetadataOf(declared, 'declared')] : uploaded;
}

function rankOf({ content }: ReadArtifact, ranked: ReturnType<typeof assignRanks>): number | null {
  switch (content?.kind) {
    case 'timelines': {
      // A file with several ranks is that of none; `ranks` says which are in it.
      const [timeline, ...others] = content.timelines;
      return others.length > 0 ? null : (ranked.find((r) => r.timeline === timeline)?.rank ?? null);
    }
    case 'step-times':
      return content.stepTimes.rank;
    case 'run-metadata':
      return content.metadata.rank;
    case 'nccl-log':
      return content.log.rank;
    case 'memory-stats':
      return content.stats.rank;
    case 'memory-summary':
      return content.summary.rank;
    default:
      return null;
  }
}

function reportRank({ rank, timeline, windows, steps, device }: RankAttribution): RankReport {
  const { devices } = timeline.metadata;
  const used = devices.find((d) => d.id === device?.activity.deviceId) ?? devices.at(0);
  return { rank, path: timeline.path, device: used?.name || null, stepsFrom: windows.from, steps };
}

function reportCalibratedStep({ idle, ...step }: CalibratedStep): NonNullable<Analysis['calibratedStep']> {
  return {
    wallNs: Math.round(step.wallNs),
    computeNs: Math.round(step.computeNs),
    exposedTransferNs: Math.round(step.exposedTransferNs),
    exposedWaitNs: Math.round(step.exposedWaitNs),
    exposedMemcpyNs: Math.round(step.exposedMemcpyNs),
    recomputeNs: Math.round(step.recomputeNs),
    idle: mapIdle((cause) => Math.round(idle[cause])),
  };
}

/** Kernels that a report lists, and the characters of a name: templates make names of any length. */
const TOP_KERNELS = 200;
const MAX_NAME_CHARS = 1_000;

function topKernels({ kernels: { byName } }: RunFacts): Pick<Analysis, 'topKernels' | 'kernelsLeftOut'> {
  const others = byName.slice(TOP_KERNELS);
  return {
    topKernels: byName.slice(0, TOP_KERNELS).map(({ name, class: kind, count, totalNs }) => {
      return { name: name.slice(0, MAX_NAME_CHARS), kind, count, totalNs, rank: null };
    }),
    kernelsLeftOut: { names: others.length, totalNs: others.reduce((sum, k) => sum + k.totalNs, 0) },
  };
}

function kernelClasses({ kernels }: RunFacts): Analysis['kernelClasses'] {
  const byClass = new Map<string, Analysis['kernelClasses'][number]>();
  for (const kernel of kernels.byName) {
    const entry = byClass.get(kernel.class) ?? { class: kernel.class, count: 0, totalNs: 0 };
    entry.count += kernel.count;
    entry.totalNs += kernel.totalNs;
    byClass.set(kernel.class, entry);
  }
  return [...byClass.values()].sort((a, b) => b.totalNs - a.totalNs);
}
