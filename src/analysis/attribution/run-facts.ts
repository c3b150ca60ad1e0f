import { type RunMetadata, type StepTimes } from '../formats/artifact-format';
import { summarizeHostProfiles } from '../evidence/host-profile-summary';
import { memoryReportOf } from '../evidence/memory-report';
import { monitorReportOf } from '../evidence/monitor-report';
import { networkReportOf } from '../evidence/network-report';
import { NO_EVIDENCE, type RunEvidence } from '../evidence/run-evidence';
import { stepDistributionsOf } from '../evidence/step-distribution';
import { matchGpu } from '../gpu-specs/match-gpu';
import { type RunEvidenceReport } from '../evidence/evidence-schema';
import { type HostProfile } from '../formats/host-profile';
import { type IdleCauses } from '../report-schema';
import { type ProblemLog } from '../timeline/problem';
import { type RankAttribution } from './attribute-rank';
import { type CalibratedStep, calibrateStep, meanOverRanks } from './calibrated-step';
import { mapIdle } from './map-idle';
import { type CrossRank, matchCollectives } from './cross-rank';
import { type KernelSummary, summarizeKernels } from './kernel-summary';
import { profileOfTrace } from './trace-profile';

/** The step breakdown averaged over counted steps, then over ranks. Integer ns; parts sum to within rounding. */
export interface MeanStep {
  /** Counted steps over all ranks. */
  stepCount: number;
  wallNs: number;
  computeNs: number;
  exposedCommunicationNs: number;
  exposedMemcpyNs: number;
  idleNs: number;
  idle: IdleCauses;
}

/** Everything that metrics and rules may ask of a run. Created per run. */
export interface RunFacts {
  /** Ranks with a trace, by rank. */
  ranks: RankAttribution[];
  /** Those of them with device activity; rules about the device look at these. */
  deviceRanks: RankAttribution[];
  /** Ranks the run had, as its traces or metadata say; null when nothing says. */
  worldSize: number | null;
  /** As traced. Null without counted steps on any device. */
  meanStep: MeanStep | null;
  /** What rules weigh causes by: the mean step without the profiler's share, over ranks. Null as `meanStep`. */
  step: CalibratedStep | null;
  /** The same of each rank. */
  stepByRank: Map<number, CalibratedStep>;
  kernels: KernelSummary;
  /** Null when collectives cannot be matched; then `crossRankReason` says why. */
  crossRank: CrossRank | null;
  crossRankReason: string | null;
  stepTimes: StepTimes[];
  metadata: RunMetadata[];
  /** What the other artifacts say, and how the step times were distributed. */
  evidence: RunEvidenceReport;
}

/** Joins the ranks of a run: means, kernel classes and, where all ranks are there, matched collectives. */
export function gatherFacts(
  ranks: RankAttribution[],
  stepTimes: StepTimes[],
  metadata: RunMetadata[],
  problems: ProblemLog,
  others: RunEvidence = NO_EVIDENCE,
): RunFacts {
  const deviceRanks = ranks.filter((r) => r.device !== null);
  const worldSize = firstKnown([
    ...ranks.map((r) => r.timeline.metadata.worldSize),
    ...metadata.map((m) => m.worldSize),
  ]);
  const crossRankReason = whyNotMatched(deviceRanks, worldSize, problems);
  let crossRank = crossRankReason === null ? matchCollectives(deviceRanks) : null;
  if (crossRank) {
    if (crossRank.unmatched > 0) problems.add('collectives-unmatched', '', crossRank.unmatched);
    if (crossRank.matchedBy === 'order')
      problems.add('collectives-matched-by-order', '', crossRank.collectives.length);
    if (crossRank.collectives.length === 0) crossRank = null;
  }
  const stepByRank = new Map<number, CalibratedStep>();
  for (const attribution of deviceRanks) {
    const step = calibrateStep(attribution, crossRank, { stepTimes, metadata });
    if (step) stepByRank.set(attribution.rank, step);
  }
  const step = meanOverRanks([...stepByRank.values()]);
  reportOverhead(step, problems);
  return {
    ranks,
    deviceRanks,
    worldSize,
    meanStep: meanStep(deviceRanks),
    step,
    stepByRank,
    kernels: summarizeKernels(deviceRanks),
    crossRank,
    crossRankReason: crossRank ? null : (crossRankReason ?? 'no collective was found on every rank'),
    stepTimes,
    metadata,
    evidence: {
      hostProfile: summarizeHostProfiles(
        others.hostProfiles.length > 0 ? others.hostProfiles : profilesOfTraces(deviceRanks),
      ),
      stepDistributions: stepDistributionsOf(stepTimes),
      monitors: monitorReportOf(others, powerLimitW(deviceRanks)),
      network: networkReportOf(others, metadata),
      memory: memoryReportOf(others, deviceOf(deviceRanks)?.totalMemoryBytes ?? null),
    },
  };
}

const deviceOf = (ranks: readonly RankAttribution[]) =>
  ranks.flatMap((rank) => rank.timeline.metadata.devices).at(0);

function powerLimitW(ranks: readonly RankAttribution[]): number | null {
  const device = deviceOf(ranks);
  return (device && matchGpu(device)?.spec.powerLimitW.value) ?? null;
}

/** Of the first rank that was recorded with frames: they all run the same program. */
function profilesOfTraces(ranks: readonly RankAttribution[]): HostProfile[] {
  for (const rank of ranks) {
    const profile = profileOfTrace(rank);
    if (profile) return [profile];
  }
  return [];
}

function whyNotMatched(
  deviceRanks: RankAttribution[],
  worldSize: number | null,
  problems: ProblemLog,
): string | null {
  const communicates = deviceRanks.some((r) => (r.device?.activity.communication.count ?? 0) > 0);
  if (!communicates) return 'the run has no collectives';
  if (worldSize !== null && deviceRanks.length < worldSize) {
    problems.add('ranks-missing', '', worldSize - deviceRanks.length);
    return `traces of ${deviceRanks.length} of ${worldSize} ranks were uploaded`;
  }
  if (deviceRanks.length < 2) {
    problems.add('ranks-missing', '', 1);
    return 'the trace of one rank was uploaded';
  }
  return null;
}

/** A traced step this much longer than the true one shows host work that is not there without the profiler. */
const NOTABLE_OVERHEAD = 1.1;

function reportOverhead(step: CalibratedStep | null, problems: ProblemLog): void {
  if (!step) return;
  if (!step.calibrated) problems.add('step-times-missing', '');
  else if (step.tracedWallNs > NOTABLE_OVERHEAD * step.wallNs) {
    problems.add(
      'profiler-overhead',
      '',
      1,
      `traced step ${(step.tracedWallNs / step.wallNs).toFixed(2)} times the true one`,
    );
  }
}

function meanStep(ranks: readonly RankAttribution[]): MeanStep | null {
  const perRank = ranks
    .map((r) => r.steps.filter((s) => s.excluded === null))
    .filter((steps) => steps.length > 0);
  if (perRank.length === 0) return null;
  const mean = (pick: (step: RankAttribution['steps'][number]) => number): number =>
    Math.round(average(perRank.map((steps) => average(steps.map(pick)))));
  return {
    stepCount: perRank.reduce((sum, steps) => sum + steps.length, 0),
    wallNs: mean((s) => s.wallNs),
    computeNs: mean((s) => s.computeNs),
    exposedCommunicationNs: mean((s) => s.exposedCommunicationNs),
    exposedMemcpyNs: mean((s) => s.exposedMemcpyNs),
    idleNs: mean((s) => s.idleNs),
    idle: mapIdle((cause) => mean((s) => s.idle[cause])),
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}

function firstKnown<T>(values: readonly (T | null)[]): T | null {
  return values.find((v) => v !== null) ?? null;
}
