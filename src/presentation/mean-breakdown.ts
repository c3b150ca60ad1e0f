import { type Report } from './present-report';

export interface BreakdownPart {
  label: string;
  /** As traced. */
  ns: number;
  /** Without the profiler's share; null when there were no step times to tell it by. */
  trueNs: number | null;
  /** True for a cause of idle time. */
  indent: boolean;
}

type CalibratedStep = NonNullable<Report['calibratedStep']>;

const PARTS: readonly (readonly [
  metric: string,
  label: string,
  indent: boolean,
  ofTrueStep: (step: CalibratedStep) => number,
])[] = [
  ['compute-time', 'compute', false, (s) => s.computeNs],
  ['exposed-communication', 'exposed communication', false, (s) => s.exposedTransferNs + s.exposedWaitNs],
  ['exposed-memcpy', 'exposed copies', false, (s) => s.exposedMemcpyNs],
  ['device-idle', 'idle', false, (s) => Object.values(s.idle).reduce((a, b) => a + b, 0)],
  ['input-wait', 'waiting for input', true, (s) => s.idle.inputWaitNs],
  ['sync-wait', 'after host synchronisation', true, (s) => s.idle.syncWaitNs],
  ['allocator-wait', 'allocator', true, (s) => s.idle.allocatorNs],
  ['launch-gap', 'launch gaps', true, (s) => s.idle.launchGapNs],
  ['host-other', 'user code on the host', true, (s) => s.idle.hostOtherNs],
  ['dependency-wait', 'waiting on the device itself', true, (s) => s.idle.dependencyNs],
  ['unexplained-idle', 'unexplained', true, (s) => s.idle.unexplainedNs],
];

export interface MeanBreakdown {
  wallNs: number;
  trueWallNs: number | null;
  parts: BreakdownPart[];
}

/** The mean step and its parts, causes of idle time only where there is some; null when it is not measurable. */
export function meanBreakdown({
  metrics,
  calibratedStep,
}: Pick<Report, 'metrics' | 'calibratedStep'>): MeanBreakdown | null {
  const value = (id: string): number | null => metrics.find((m) => m.id === id)?.value ?? null;
  const wallNs = value('step-time');
  if (!wallNs) return null;
  const parts = PARTS.flatMap(([id, label, indent, ofTrueStep]) => {
    const ns = value(id);
    if (ns === null || (indent && ns === 0)) return [];
    return [{ label, ns, indent, trueNs: calibratedStep ? ofTrueStep(calibratedStep) : null }];
  });
  return { wallNs, trueWallNs: calibratedStep?.wallNs ?? null, parts };
}
