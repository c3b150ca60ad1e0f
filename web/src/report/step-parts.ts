import { type Ranks } from './report-query';

/** What steps and mean steps have in common. */
type Step = Pick<
  Ranks[number]['steps'][number],
  'computeNs' | 'exposedCommunicationNs' | 'exposedMemcpyNs' | 'idle'
>;

export interface StepPart {
  label: string;
  color: string;
  ns: (step: Step) => number;
}

/** Causes of idle time with the metric that says what they are; they sum to the idle time of a step. */
export const IDLE_PARTS: readonly (StepPart & { metric: string })[] = [
  {
    ...{ label: 'waiting for input', color: '#e03131', metric: 'input-wait' },
    ns: (s) => s.idle.inputWaitNs,
  },
  {
    ...{ label: 'after host synchronisation', color: '#e64980', metric: 'sync-wait' },
    ns: (s) => s.idle.syncWaitNs,
  },
  { ...{ label: 'allocator', color: '#9c36b5', metric: 'allocator-wait' }, ns: (s) => s.idle.allocatorNs },
  { ...{ label: 'launch gaps', color: '#fab005', metric: 'launch-gap' }, ns: (s) => s.idle.launchGapNs },
  {
    ...{ label: 'user code on the host', color: '#12b886', metric: 'host-other' },
    ns: (s) => s.idle.hostOtherNs,
  },
  {
    ...{ label: 'waiting on the device itself', color: '#868e96', metric: 'dependency-wait' },
    ns: (s) => s.idle.dependencyNs,
  },
  {
    ...{ label: 'unexplained', color: '#adb5bd', metric: 'unexplained-idle' },
    ns: (s) => s.idle.unexplainedNs,
  },
];

/** The parts of a step in the order in which they are stacked; they sum to its wall time. Work is blue, idle time warm. */
export const STEP_PARTS: readonly StepPart[] = [
  { label: 'compute', color: '#4c6ef5', ns: (s) => s.computeNs },
  { label: 'exposed communication', color: '#f76707', ns: (s) => s.exposedCommunicationNs },
  { label: 'exposed copies', color: '#9775fa', ns: (s) => s.exposedMemcpyNs },
  ...IDLE_PARTS,
];

/** The colour of a part by the name that reports give it. */
export const colorOf = (label: string): string =>
  STEP_PARTS.find((part) => part.label === label)?.color ?? '#868e96';
