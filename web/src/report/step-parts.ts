import { type ShownReport } from './report-query';

type Step = ShownReport['ranks'][number]['steps'][number];

export interface StepPart {
  label: string;
  color: string;
  ns: (step: Step) => number;
}

/** The parts of a step in the order in which they are stacked; they sum to its wall time. Work is blue, idle time warm. */
export const STEP_PARTS: readonly StepPart[] = [
  { label: 'compute', color: '#4c6ef5', ns: (s) => s.computeNs },
  { label: 'exposed communication', color: '#f76707', ns: (s) => s.exposedCommunicationNs },
  { label: 'exposed copies', color: '#9775fa', ns: (s) => s.exposedMemcpyNs },
  { label: 'waiting for input', color: '#e03131', ns: (s) => s.idle.inputWaitNs },
  { label: 'after host synchronisation', color: '#e64980', ns: (s) => s.idle.syncWaitNs },
  { label: 'allocator', color: '#9c36b5', ns: (s) => s.idle.allocatorNs },
  { label: 'launch gaps', color: '#fab005', ns: (s) => s.idle.launchGapNs },
  { label: 'user code on the host', color: '#12b886', ns: (s) => s.idle.hostOtherNs },
  { label: 'waiting on the device itself', color: '#868e96', ns: (s) => s.idle.dependencyNs },
  { label: 'unexplained', color: '#adb5bd', ns: (s) => s.idle.unexplainedNs },
];

/** The colour of a part by the name that reports give it. */
export const colorOf = (label: string): string =>
  STEP_PARTS.find((part) => part.label === label)?.color ?? '#868e96';
