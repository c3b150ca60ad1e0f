import { type RunMetadata, type StepTimes } from '../formats/artifact-format';
import { loopSteps, meanStepNs, type TimedSteps, timedSteps } from '../evidence/step-distribution';
import { type IdleCauses } from '../report-schema';
import { type RankAttribution } from './attribute-rank';
import { type CrossRank, meanPerStepNs, median } from './cross-rank';
import { mapIdle } from './map-idle';
import { findRecompute } from './recompute';

/**
 * The mean counted step of a rank (or of the run) as it runs without the profiler, ns. `computeNs`, the two exposed
 * communication parts, `exposedMemcpyNs` and the idle causes make up `wallNs`.
 */
export interface CalibratedStep {
  wallNs: number;
  /** Mean traced step that this was derived from. */
  tracedWallNs: number;
  /** True when step times without the profiler were there to calibrate with. */
  calibrated: boolean;
  computeNs: number;
  /** Exposed time in collectives in which all ranks had arrived; all exposed communication when ranks are missing. */
  exposedTransferNs: number;
  /** Exposed time in collectives before the last rank came. */
  exposedWaitNs: number;
  exposedMemcpyNs: number;
  /** Part of `exposedMemcpyNs`. */
  exposedHostToDeviceNs: number;
  idle: IdleCauses;
  /** Part of `computeNs`: activations computed a second time. */
  recomputeNs: number;
}

/** A median of fewer step times is not trusted. */
const MIN_STEP_TIMES = 4;

/**
 * How far recording inflates a gap depends on how much of the host's work the device hides (corpus: idle time of
 * a launch-bound run is 43 % of the traced one, less elsewhere). A cause keeps at least this share while others can still give.
 */
const LEAST_TRUE_SHARE = 0.15;

/** What was uploaded about step times without the profiler. */
export interface StepTimeSources {
  stepTimes: readonly StepTimes[];
  metadata: readonly RunMetadata[];
}

/**
 * Median step of a rank without the profiler, ns: from its step times, else from those of another rank (ranks step
 * together), else from what the job says of itself; null when nothing was uploaded.
 */
export function unprofiledStepNs({ stepTimes, metadata }: StepTimeSources, rank: number): number | null {
  for (const series of ownFirst(stepTimes, rank)) {
    const measured = timedSteps(series);
    if (stepsIn(measured) >= MIN_STEP_TIMES) return median(measured.timeNs);
  }
  return ownFirst(metadata, rank).find((m) => m.unprofiledStepNs !== null)?.unprofiledStepNs ?? null;
}

/** The mean in the place of the median: of its step times, else what the job says is its mean; null when neither is there. */
export function unprofiledMeanStepNs({ stepTimes, metadata }: StepTimeSources, rank: number): number | null {
  for (const series of ownFirst(stepTimes, rank)) {
    const measured = loopSteps(series);
    if (stepsIn(measured) >= MIN_STEP_TIMES) return Math.round(meanStepNs(measured));
  }
  return ownFirst(metadata, rank).find((m) => m.unprofiledMeanStepNs !== null)?.unprofiledMeanStepNs ?? null;
}

const stepsIn = ({ weight }: TimedSteps) => weight.reduce((sum, steps) => sum + steps, 0);

function ownFirst<T extends { rank: number | null }>(sources: readonly T[], rank: number): T[] {
  return [...sources.filter((s) => s.rank === rank), ...sources.filter((s) => s.rank !== rank)];
}

/**
 * Takes the profiler's share out of a rank's mean step. Recording slows the host, not the device, so the excess of the
 * traced over the true step is taken from what the host causes, most inflated first: launch gaps (dense in recorded
 * operators), waiting for the likewise slowed hosts of other ranks, loader, user code; what the driver does (allocator,
 * waiting calls) last. What is left after that is scaled.
 */
export function calibrateStep(
  attribution: RankAttribution,
  crossRank: CrossRank | null,
  sources: StepTimeSources,
): CalibratedStep | null {
  const traced = tracedStep(attribution, crossRank);
  if (!traced) return null;
  const trueWallNs = unprofiledStepNs(sources, attribution.rank);
  if (trueWallNs === null) return traced;
  const step = { ...traced, idle: { ...traced.idle }, calibrated: true };
  if (trueWallNs >= traced.wallNs) return step;

  let excessNs = traced.wallNs - trueWallNs;
  const reduce = (valueNs: number, leastNs: number): number => {
    const takenNs = Math.min(excessNs, Math.max(0, valueNs - leastNs));
    excessNs -= takenNs;
    return valueNs - takenNs;
  };
  const { idle } = step;
  for (const share of [LEAST_TRUE_SHARE, 0]) {
    idle.launchGapNs = reduce(idle.launchGapNs, share * traced.idle.launchGapNs);
    step.exposedWaitNs = reduce(step.exposedWaitNs, share * traced.exposedWaitNs);
    idle.inputWaitNs = reduce(idle.inputWaitNs, share * traced.idle.inputWaitNs);
    idle.hostOtherNs = reduce(idle.hostOtherNs, share * traced.idle.hostOtherNs);
    idle.dependencyNs = reduce(idle.dependencyNs, share * traced.idle.dependencyNs);
    idle.unexplainedNs = reduce(idle.unexplainedNs, share * traced.idle.unexplainedNs);
  }
  idle.syncWaitNs = reduce(idle.syncWaitNs, 0);
  idle.allocatorNs = reduce(idle.allocatorNs, 0);
  step.wallNs = traced.wallNs - (traced.wallNs - trueWallNs - excessNs);
  return scaleStep(step, trueWallNs / step.wallNs);
}

/** The mean over ranks, part by part. */
export function meanOverRanks(steps: readonly CalibratedStep[]): CalibratedStep | null {
  if (steps.length === 0) return null;
  const mean = (pick: (step: CalibratedStep) => number): number =>
    steps.reduce((sum, s) => sum + pick(s), 0) / steps.length;
  return mapStep(
    steps[0],
    (_, pick) => mean(pick),
    steps.every((s) => s.calibrated),
  );
}

function scaleStep(step: CalibratedStep, factor: number): CalibratedStep {
  const { tracedWallNs } = step;
  return { ...mapStep(step, (value) => value * factor, step.calibrated), tracedWallNs };
}

/** Builds a step from the parts of another. */
function mapStep(
  step: CalibratedStep,
  map: (value: number, pick: (step: CalibratedStep) => number) => number,
  calibrated: boolean,
): CalibratedStep {
  const part = (pick: (step: CalibratedStep) => number): number => map(pick(step), pick);
  return {
    calibrated,
    wallNs: part((s) => s.wallNs),
    tracedWallNs: part((s) => s.tracedWallNs),
    computeNs: part((s) => s.computeNs),
    exposedTransferNs: part((s) => s.exposedTransferNs),
    exposedWaitNs: part((s) => s.exposedWaitNs),
    exposedMemcpyNs: part((s) => s.exposedMemcpyNs),
    exposedHostToDeviceNs: part((s) => s.exposedHostToDeviceNs),
    recomputeNs: part((s) => s.recomputeNs),
    idle: mapIdle((cause) => part((s) => s.idle[cause])),
  };
}

function tracedStep(attribution: RankAttribution, crossRank: CrossRank | null): CalibratedStep | null {
  const counted = attribution.steps.filter((s) => s.excluded === null);
  const { device, rank, timeline } = attribution;
  if (counted.length === 0 || !device) return null;
  const mean = (pick: (step: (typeof counted)[number]) => number): number =>
    counted.reduce((sum, s) => sum + pick(s), 0) / counted.length;
  const wallNs = mean((s) => s.wallNs);
  const exposedWaitNs = meanPerStepNs(attribution, crossRank?.exposedWait.get(rank));
  return {
    wallNs,
    tracedWallNs: wallNs,
    calibrated: false,
    computeNs: mean((s) => s.computeNs),
    exposedTransferNs: mean((s) => s.exposedCommunicationNs) - exposedWaitNs,
    exposedWaitNs,
    exposedMemcpyNs: mean((s) => s.exposedMemcpyNs),
    exposedHostToDeviceNs: meanPerStepNs(attribution, device.activity.exposedHostToDevice),
    recomputeNs: meanPerStepNs(attribution, findRecompute(timeline, device.activity)),
    idle: mapIdle((cause) => mean((s) => s.idle[cause])),
  };
}
