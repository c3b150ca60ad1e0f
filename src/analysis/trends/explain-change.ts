import { type Analysis } from '../report-schema';
import { type ConfigurationChange, diffConfiguration } from './configuration-change';
import {
  hasClock,
  STEP_PARTS,
  type StepClock,
  type StepPart,
  stepParts,
  type StepParts,
  totalNs,
} from './step-parts';

/** One side of a comparison: reports of runs that are alike, and what was told of them. */
export interface ComparedGroup {
  /** At least one. */
  analyses: readonly Analysis[];
  /** Flat facts about the runs, such as `framework.version`; where the runs differ, the latest. */
  configuration: Readonly<Record<string, string>>;
}

export interface PartChange {
  part: StepPart;
  beforeNs: number;
  afterNs: number;
  changeNs: number;
}

export interface NamedChange {
  name: string;
  /** Time of the mean step of one rank, ns; null on the side where it does not occur. */
  beforeNs: number | null;
  afterNs: number | null;
  changeNs: number;
}

/** Where a change of the step time went. */
export interface ChangeExplanation {
  clock: StepClock;
  beforeNs: number;
  afterNs: number;
  changeNs: number;
  /** The parts' changes add up to `changeNs`; the largest first. */
  parts: PartChange[];
  kernelClasses: NamedChange[];
  kernels: NamedChange[];
  collectives: NamedChange[];
  ranks: { rank: number; beforeNs: number; afterNs: number; changeNs: number }[];
  configuration: ConfigurationChange[];
  /** Whether something was changed on purpose that changes how long a step takes: then it is no regression of the code. */
  explainedByConfiguration: boolean;
}

/** Changes shown of each kind. */
const MOST_SHOWN = 20;
/** Smaller changes of one kernel or collective are noise of the recording. */
const LEAST_SHOWN_RATIO = 0.001;

/**
 * Says where the difference of two groups of runs went. Both sides are read by the same clock: calibrated step times where
 * all reports have them, else the traced ones. Null when a side has no steps.
 */
export function explainChange(before: ComparedGroup, after: ComparedGroup): ChangeExplanation | null {
  const all = [...before.analyses, ...after.analyses];
  const clock: StepClock = all.every((one) => hasClock(one, 'unprofiled')) ? 'unprofiled' : 'traced';
  const beforeParts = meanParts(before.analyses, clock);
  const afterParts = meanParts(after.analyses, clock);
  if (!beforeParts || !afterParts) return null;
  const beforeNs = totalNs(beforeParts);
  const afterNs = totalNs(afterParts);
  const parts = STEP_PARTS.map((part) => ({
    part,
    beforeNs: beforeParts[part],
    afterNs: afterParts[part],
    changeNs: afterParts[part] - beforeParts[part],
  })).sort(byChange);
  const configuration = diffConfiguration(before.configuration, after.configuration);
  const named = (pick: (analysis: Analysis) => Map<string, number>) =>
    diffNamed(meanOfMaps(before.analyses.map(pick)), meanOfMaps(after.analyses.map(pick)), beforeNs);
  return {
    clock,
    beforeNs,
    afterNs,
    changeNs: afterNs - beforeNs,
    parts,
    kernelClasses: named(kernelClassTimes),
    kernels: named(kernelTimes),
    collectives: named(collectiveTimes),
    ranks: diffRanks(before.analyses, after.analyses),
    configuration,
    explainedByConfiguration: configuration.some(({ kind }) => kind === 'workload' || kind === 'hardware'),
  };
}

function byChange(a: { changeNs: number }, b: { changeNs: number }): number {
  return Math.abs(b.changeNs) - Math.abs(a.changeNs);
}

function meanParts(analyses: readonly Analysis[], clock: StepClock): StepParts | null {
  const all = analyses.flatMap((analysis) => stepParts(analysis, clock) ?? []);
  if (all.length === 0) return null;
  const mean = (part: StepPart) => all.reduce((sum, parts) => sum + parts[part], 0) / all.length;
  return Object.fromEntries(STEP_PARTS.map((part) => [part, mean(part)])) as StepParts;
}

/** Counted steps over all ranks: what kernel totals of a report are sums over. */
function countedSteps({ ranks }: Analysis): number {
  return ranks.reduce((sum, { steps }) => sum + steps.filter(({ excluded }) => excluded === null).length, 0);
}

function perStep(analysis: Analysis, entries: readonly (readonly [string, number])[]): Map<string, number> {
  const steps = Math.max(1, countedSteps(analysis));
  const times = new Map<string, number>();
  for (const [name, totalOfAllNs] of entries) times.set(name, (times.get(name) ?? 0) + totalOfAllNs / steps);
  return times;
}

const kernelClassTimes = (analysis: Analysis) =>
  perStep(
    analysis,
    analysis.kernelClasses.map((one) => [one.class, one.totalNs]),
  );

const kernelTimes = (analysis: Analysis) =>
  perStep(
    analysis,
    analysis.topKernels.map(({ name, totalNs: ns }) => [name, ns]),
  );

const collectiveTimes = (analysis: Analysis) =>
  perStep(
    analysis,
    (analysis.communication?.collectives ?? []).map(({ name, dtype, count, transferNs }) => [
      dtype === null ? name : `${name} (${dtype})`,
      transferNs * count,
    ]),
  );

function meanOfMaps(maps: readonly Map<string, number>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const map of maps)
    for (const [name, ns] of map) sums.set(name, (sums.get(name) ?? 0) + ns / maps.length);
  return sums;
}

function diffNamed(before: Map<string, number>, after: Map<string, number>, stepNs: number): NamedChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => {
      const beforeNs = before.get(name) ?? null;
      const afterNs = after.get(name) ?? null;
      return { name, beforeNs, afterNs, changeNs: (afterNs ?? 0) - (beforeNs ?? 0) };
    })
    .filter(({ changeNs }) => Math.abs(changeNs) >= LEAST_SHOWN_RATIO * stepNs)
    .sort(byChange)
    .slice(0, MOST_SHOWN);
}

function rankTimes(analyses: readonly Analysis[]): Map<number, number> {
  const walls = new Map<number, number[]>();
  for (const { ranks } of analyses) {
    for (const { rank, steps } of ranks) {
      const counted = steps.filter(({ excluded }) => excluded === null).map(({ wallNs }) => wallNs);
      walls.set(rank, [...(walls.get(rank) ?? []), ...counted]);
    }
  }
  const means = [...walls].filter(([, list]) => list.length > 0);
  return new Map(means.map(([rank, list]) => [rank, list.reduce((a, b) => a + b, 0) / list.length]));
}

/** Traced mean steps of the ranks that both sides have. */
function diffRanks(before: readonly Analysis[], after: readonly Analysis[]): ChangeExplanation['ranks'] {
  const [old, recent] = [rankTimes(before), rankTimes(after)];
  return [...old]
    .flatMap(([rank, beforeNs]) => {
      const afterNs = recent.get(rank);
      return afterNs === undefined ? [] : [{ rank, beforeNs, afterNs, changeNs: afterNs - beforeNs }];
    })
    .sort(byChange)
    .slice(0, MOST_SHOWN);
}
