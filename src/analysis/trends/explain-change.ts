import { type Analysis } from '../report-schema';
import { type ConfigurationCause, judgeConfiguration, recordedFacts } from './configuration-cause';
import { type ConfigurationChange, diffConfiguration, isSetup } from './configuration-change';
import {
  collectiveTimes,
  diffNamed,
  kernelClassTimes,
  kernelTimes,
  meanTimes,
  type NamedChange,
  type NamedTimes,
  opTimes,
} from './named-changes';
import { diffRanks, type RankChange, stragglerOf } from './rank-changes';
import {
  hasClock,
  STEP_PART_NAMES,
  STEP_PARTS,
  type StepClock,
  type StepPart,
  type StepPartName,
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
  part: StepPartName;
  beforeNs: number;
  afterNs: number;
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
  ops: NamedChange[];
  collectives: NamedChange[];
  ranks: RankChange[];
  /** The rank that the others wait for; null when nobody is clearly late. */
  stragglerRank: { before: number | null; after: number | null };
  configuration: ConfigurationCause[];
  /** Whether a difference of the configuration may be why: then it need not be the code. */
  explainedByConfiguration: boolean;
}

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
  const parts = STEP_PARTS.map((part, i) => ({
    part: STEP_PART_NAMES[i],
    beforeNs: beforeParts[part],
    afterNs: afterParts[part],
    changeNs: afterParts[part] - beforeParts[part],
  })).sort(byChange);
  const configuration = judgeConfiguration(compareConfiguration(before, after), parts);
  const named = (pick: (analysis: Analysis) => NamedTimes) =>
    diffNamed(meanTimes(before.analyses.map(pick)), meanTimes(after.analyses.map(pick)), beforeNs);
  return {
    ...{ clock, beforeNs, afterNs, changeNs: afterNs - beforeNs, parts },
    kernelClasses: named(kernelClassTimes),
    kernels: named(kernelTimes),
    ops: named(opTimes),
    collectives: named(collectiveTimes),
    ranks: diffRanks(before.analyses, after.analyses),
    stragglerRank: { before: stragglerOf(before.analyses), after: stragglerOf(after.analyses) },
    configuration,
    explainedByConfiguration: configuration.some(({ mayExplain }) => mayExplain),
  };
}

/** What was set up differently, by what was told of the runs and what their files say. */
function compareConfiguration(before: ComparedGroup, after: ComparedGroup): ConfigurationChange[] {
  const told = Object.keys({ ...before.configuration, ...after.configuration });
  return diffConfiguration(factsOf(before, told), factsOf(after, told)).filter(({ name }) => isSetup(name));
}

function factsOf(
  { analyses, configuration }: ComparedGroup,
  told: readonly string[],
): Record<string, string> {
  return { ...recordedFacts(analyses, told), ...configuration };
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
