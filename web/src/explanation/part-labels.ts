import { type Schemas } from '../api/client';

type Part = NonNullable<Schemas['Regression']['explanation']>['parts'][number]['part'];

/** The parts of a step by the names of the API, in the words of reports and charts. */
export const PART_LABELS: Readonly<Record<Part, string>> = {
  compute: 'compute',
  exposedCommunication: 'exposed communication',
  exposedMemcpy: 'exposed copies',
  inputWait: 'waiting for input',
  syncWait: 'after host synchronisation',
  allocator: 'allocator',
  launchGap: 'launch gaps',
  hostOther: 'user code on the host',
  dependency: 'waiting on the device itself',
  unexplained: 'unexplained',
};
