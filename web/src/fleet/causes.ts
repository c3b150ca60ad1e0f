import { type Schemas } from '../api/client';
import { PART_LABELS } from '../explanation/part-labels';

export type Usage = Schemas['Fleet']['total'];
type Part = Usage['parts'][number]['part'];
/** What GPUs that do not compute are held up by: a part of the step, or all of them together. */
export type Cause = Exclude<Part, 'compute'> | 'all';

/** The causes with the verdicts of runs that they hold back most. */
const VERDICTS_OF: Readonly<Record<Exclude<Cause, 'all'>, readonly string[]>> = {
  inputWait: ['input-pipeline'],
  exposedCommunication: ['communication', 'straggler'],
  exposedMemcpy: ['input-pipeline'],
  syncWait: ['launch-overhead'],
  allocator: ['memory-pressure'],
  launchGap: ['launch-overhead'],
  hostOther: ['host-cpu'],
  dependency: [],
  unexplained: [],
};

export const CAUSES = Object.keys(VERDICTS_OF) as Exclude<Cause, 'all'>[];

export const causeLabel = (cause: Cause): string => (cause === 'all' ? 'all causes' : PART_LABELS[cause]);

/** GPU-hours and share of the step; null where they are not known, which is not zero. */
export interface Amount {
  gpuHours: number | null;
  share: number | null;
}

/** How much of it a cause takes. */
export function amountOf({ notComputing, parts }: Usage, cause: Cause): Amount {
  if (cause === 'all') return notComputing;
  return parts.find(({ part }) => part === cause) ?? { gpuHours: null, share: null };
}

/** The verdict by which to look at the runs that a cause holds back; none where no run has it. */
export function verdictOf({ verdicts }: Usage, cause: Cause): string | undefined {
  if (cause === 'all') return undefined;
  return VERDICTS_OF[cause].find((verdict) => verdicts.some((one) => one.verdict === verdict));
}
