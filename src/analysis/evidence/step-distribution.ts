import { type StepTimes } from '../formats/artifact-format';
import { type StepDistribution } from './step-distribution-schema';

/** Start-up steps of a series of step times: caches fill, the allocator grows, kernels are chosen. */
export const WARM_UP_STEPS = 2;
/** A step this many times the median is a spike. */
const SPIKE_FACTOR = 1.5;
/** Distances between spikes that agree with the period, of all, for it to be one; and how far they may be off. */
const REGULAR_SHARE = 0.75;
const PERIOD_TOLERANCE = 0.1;
/** A period must be seen so often. */
const LEAST_SPIKES = 3;
const MOST_SERIES = 1024;

/** Times of single steps after the warm-up, with the numbers of the steps. */
export interface TimedSteps {
  step: number[];
  timeNs: number[];
  /** Steps that each stands for. */
  weight: number[];
}

/**
 * Steps after the warm-up, ns, for what is usual of a single one. Where events on the device enclose the steps, theirs: a host
 * that runs ahead gives the time of launching, and pays for it in another step. Else the host's times.
 */
export function timedSteps(series: StepTimes): TimedSteps {
  return enclosesSteps(series) ? pickSteps(series, series.deviceNs) : loopSteps(series);
}

/** Steps after the warm-up, ns, for sums and means: the host's times, which add up to the loop; else the device's. */
export function loopSteps(series: StepTimes): TimedSteps {
  const ofHost = pickSteps(series, series.hostNs);
  return ofHost.timeNs.length > 0 ? ofHost : pickSteps(series, series.deviceNs);
}

function pickSteps({ step, stepsAveraged }: StepTimes, times: readonly number[]): TimedSteps {
  const first = startUpEntries(stepsAveraged);
  const kept = times.map((_, i) => i).filter((i) => i >= first && times[i] > 0);
  return {
    step: kept.map((i) => step[i]),
    timeNs: kept.map((i) => times[i]),
    weight: kept.map((i) => stepsAveraged[i]),
  };
}

/** Entries that start-up is in. An entry that stands for many steps is not given up for it when there are few. */
function startUpEntries(stepsAveraged: readonly number[]): number {
  return stepsAveraged.some((steps) => steps > 1)
    ? Math.min(WARM_UP_STEPS, Math.floor(stepsAveraged.length / 4))
    : WARM_UP_STEPS;
}

/** Steps that are timed both ways, of all, for the device's times to stand for all. */
const BOTH_SHARE = 0.5;
/** How far the sums of both may be apart: more, and the events enclose something else. */
const SUM_TOLERANCE = 0.15;

function enclosesSteps({ hostNs, deviceNs, stepsAveraged }: StepTimes): boolean {
  const first = startUpEntries(stepsAveraged);
  const both = hostNs.map((_, i) => i).filter((i) => i >= first && hostNs[i] > 0 && deviceNs[i] > 0);
  const timed = hostNs.filter((ns, i) => i >= first && ns > 0).length;
  if (both.length < BOTH_SHARE * timed || both.length === 0) return false;
  const sum = (times: readonly number[]) => both.reduce((total, i) => total + times[i], 0);
  return Math.abs(sum(deviceNs) - sum(hostNs)) <= SUM_TOLERANCE * sum(hostNs);
}

/** Mean over steps, ns; NaN without any. */
export function meanStepNs({ timeNs, weight }: TimedSteps): number {
  const steps = weight.reduce((sum, count) => sum + count, 0);
  return timeNs.reduce((sum, ns, i) => sum + ns * weight[i], 0) / steps;
}

/** How the steps of every series were distributed; series without a step after the warm-up are left out. */
export function stepDistributionsOf(series: readonly StepTimes[]): StepDistribution[] {
  return series.flatMap((one) => distributionOf(one) ?? []).slice(0, MOST_SERIES);
}

/** Null without a step after the warm-up. */
export function distributionOf(series: StepTimes): StepDistribution | null {
  const steps = timedSteps(series);
  if (steps.timeNs.length === 0) return null;
  const sorted = Float64Array.from(steps.timeNs).sort();
  const at = (share: number) => Math.round(sorted[Math.round(share * (sorted.length - 1))]);
  const meanNs = meanStepNs(loopSteps(series));
  const medianNs = at(0.5);
  const isSingle = series.stepsAveraged.every((steps) => steps === 1);
  return {
    rank: series.rank,
    source: series.source,
    stepCount: sorted.length,
    isOfSingleSteps: isSingle,
    meanNs: Math.round(meanNs),
    minNs: at(0),
    p10Ns: at(0.1),
    medianNs,
    p90Ns: at(0.9),
    p99Ns: at(0.99),
    maxNs: at(1),
    lostRatio: Math.max(0, 1 - medianNs / meanNs),
    spikes: isSingle ? spikesOf(steps, medianNs) : null,
  };
}

/** What spikes cost beyond the median, and whether they come evenly. Null without one. */
function spikesOf({ step, timeNs }: TimedSteps, medianNs: number): StepDistribution['spikes'] {
  const at = timeNs.map((_, i) => i).filter((i) => timeNs[i] > SPIKE_FACTOR * medianNs);
  if (at.length === 0) return null;
  const extraNs = at.reduce((sum, i) => sum + timeNs[i] - medianNs, 0);
  return {
    count: at.length,
    meanExtraNs: Math.round(extraNs / at.length),
    extraPerStepNs: Math.round(extraNs / timeNs.length),
    periodSteps: periodOf(at.map((i) => step[i])),
  };
}

/** The usual distance of numbers in ascending order; null when they do not come evenly. */
function periodOf(numbers: readonly number[]): number | null {
  const gaps = numbers.slice(1).map((number, i) => number - numbers[i]);
  if (gaps.length < LEAST_SPIKES - 1 || gaps.some((gap) => !(gap > 0))) return null;
  const period = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  const tolerance = Math.max(0, Math.floor(PERIOD_TOLERANCE * period));
  // A spike that was missed leaves twice the distance.
  const isRegular = (gap: number) => {
    const periods = Math.max(1, Math.round(gap / period));
    return periods <= 2 && Math.abs(gap - periods * period) <= tolerance;
  };
  return period > 1 && gaps.filter(isRegular).length >= REGULAR_SHARE * gaps.length ? period : null;
}
