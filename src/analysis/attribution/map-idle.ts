import { type IdleCauses } from '../report-schema';

/** Makes a value for every cause of idle time: the one place that lists them for arithmetic. */
export function mapIdle(valueOf: (cause: keyof IdleCauses) => number): IdleCauses {
  return {
    inputWaitNs: valueOf('inputWaitNs'),
    syncWaitNs: valueOf('syncWaitNs'),
    allocatorNs: valueOf('allocatorNs'),
    launchGapNs: valueOf('launchGapNs'),
    hostOtherNs: valueOf('hostOtherNs'),
    dependencyNs: valueOf('dependencyNs'),
    unexplainedNs: valueOf('unexplainedNs'),
  };
}
