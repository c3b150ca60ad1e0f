import {
  type Analysis,
  STEP_PARTS,
  type StepPart,
  stepParts,
  type StepParts,
  totalNs,
} from '../../../analysis';

/** The metrics that are the parts of the traced mean step, ns. */
const METRIC_OF_PART: Readonly<Record<StepPart, string>> = {
  computeNs: 'compute-time',
  exposedCommunicationNs: 'exposed-communication',
  exposedMemcpyNs: 'exposed-memcpy',
  inputWaitNs: 'input-wait',
  syncWaitNs: 'sync-wait',
  allocatorNs: 'allocator-wait',
  launchGapNs: 'launch-gap',
  hostOtherNs: 'host-other',
  dependencyNs: 'dependency-wait',
  unexplainedNs: 'unexplained-idle',
};

/** What a report says of the mean step. */
export interface ReportedStep {
  calibratedStep: Analysis['calibratedStep'];
  /** By metric id, ns; null where not measurable. */
  metrics: ReadonlyMap<string, number | null>;
  findings: readonly { rule: string; expectedStepNs: number | null; leastStepNs: number | null }[];
}

export interface StepShares {
  /** Shares of the step, together 1; null without steps. */
  parts: Readonly<Record<StepPart, number>> | null;
  /** By rule: the share of the step that is gone when what it found is gone. They do not add up. */
  gains: Readonly<Record<string, number>>;
  /** By rule: the share that is gone at most; as much as expected where the report does not say. */
  mostGains: Readonly<Record<string, number>>;
}

/** Where the step went and what may come back: of the calibrated step, where there is one, else of the traced one. */
export function stepShares({ calibratedStep, metrics, findings }: ReportedStep): StepShares {
  const parts = stepParts({ calibratedStep, ranks: [] }, 'unprofiled') ?? tracedParts(metrics);
  const stepNs = parts ? totalNs(parts) : 0;
  if (!parts || stepNs <= 0) return { parts: null, gains: {}, mostGains: {} };
  const gains: Record<string, number> = {};
  const mostGains: Record<string, number> = {};
  const gainOf = (leftNs: number) => Math.min(1, Math.max(0, 1 - leftNs / stepNs));
  for (const { rule, expectedStepNs, leastStepNs } of findings) {
    if (expectedStepNs === null) continue;
    gains[rule] = Math.max(gains[rule] ?? 0, gainOf(expectedStepNs));
    mostGains[rule] = Math.max(mostGains[rule] ?? gains[rule], gainOf(leastStepNs ?? expectedStepNs));
  }
  const shares = STEP_PARTS.map((part) => [part, parts[part] / stepNs]);
  return { parts: Object.fromEntries(shares) as Record<StepPart, number>, gains, mostGains };
}

function tracedParts(metrics: ReadonlyMap<string, number | null>): StepParts | null {
  const values = STEP_PARTS.map((part) => [part, metrics.get(METRIC_OF_PART[part]) ?? null] as const);
  if (values.some(([, value]) => value === null)) return null;
  return Object.fromEntries(values) as StepParts;
}
