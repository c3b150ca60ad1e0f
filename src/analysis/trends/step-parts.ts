import { type Analysis, type IdleCauses } from '../report-schema';

/** Where the time of the mean step goes; every part in ns, all of them together make up the step. */
export const STEP_PARTS = [
  'computeNs',
  'exposedCommunicationNs',
  'exposedMemcpyNs',
  'inputWaitNs',
  'syncWaitNs',
  'allocatorNs',
  'launchGapNs',
  'hostOtherNs',
  'dependencyNs',
  'unexplainedNs',
] as const;
export type StepPart = (typeof STEP_PARTS)[number];
export type StepParts = Record<StepPart, number>;

/** A part as answers name it: the unit is in the names of its figures. */
export type StepPartName = StepPart extends `${infer Name}Ns` ? Name : never;
const nameOf = (part: StepPart) => part.slice(0, -'Ns'.length) as StepPartName;
/** In the order of `STEP_PARTS`. */
export const STEP_PART_NAMES: readonly StepPartName[] = STEP_PARTS.map(nameOf);

/** `unprofiled`: calibrated by step times without the profiler; `traced`: as recorded, host shares are upper bounds. */
export type StepClock = 'unprofiled' | 'traced';

/** The part of a report that has its steps. */
type SteppedAnalysis = Pick<Analysis, 'calibratedStep' | 'ranks'>;

/** Whether the report's step can be read by this clock. */
export function hasClock(analysis: SteppedAnalysis, clock: StepClock): boolean {
  return clock === 'unprofiled' ? analysis.calibratedStep !== null : tracedSteps(analysis).length > 0;
}

/** The mean counted step of a report by one clock; null when it has none. */
export function stepParts(analysis: SteppedAnalysis, clock: StepClock): StepParts | null {
  if (clock === 'unprofiled') {
    const step = analysis.calibratedStep;
    if (!step) return null;
    const { computeNs, exposedTransferNs, exposedWaitNs, exposedMemcpyNs, idle } = step;
    return {
      computeNs,
      exposedCommunicationNs: exposedTransferNs + exposedWaitNs,
      exposedMemcpyNs,
      ...(idle satisfies IdleCauses),
    };
  }
  const steps = tracedSteps(analysis);
  if (steps.length === 0) return null;
  const mean = (pick: (step: (typeof steps)[number]) => number) =>
    steps.reduce((sum, step) => sum + pick(step), 0) / steps.length;
  const idlePart = (cause: keyof IdleCauses) => mean(({ idle }) => idle[cause]);
  return {
    computeNs: mean((step) => step.computeNs),
    exposedCommunicationNs: mean((step) => step.exposedCommunicationNs),
    exposedMemcpyNs: mean((step) => step.exposedMemcpyNs),
    inputWaitNs: idlePart('inputWaitNs'),
    syncWaitNs: idlePart('syncWaitNs'),
    allocatorNs: idlePart('allocatorNs'),
    launchGapNs: idlePart('launchGapNs'),
    hostOtherNs: idlePart('hostOtherNs'),
    dependencyNs: idlePart('dependencyNs'),
    unexplainedNs: idlePart('unexplainedNs'),
  };
}

/** Sum of the parts, ns: the step itself. */
export function totalNs(parts: StepParts): number {
  return STEP_PARTS.reduce((sum, part) => sum + parts[part], 0);
}

function tracedSteps({ ranks }: SteppedAnalysis) {
  return ranks.flatMap(({ steps }) => steps.filter(({ excluded }) => excluded === null));
}
