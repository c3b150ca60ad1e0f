import { type RungInput } from './rung-input';

/** How a step time was taken, the best first: what training pays, without its spikes, and as the profiler slows it. */
export const STEP_CLOCKS = ['unprofiled-mean', 'unprofiled-median', 'profiled'] as const;
export type StepClockName = (typeof STEP_CLOCKS)[number];

const METRIC_OF_CLOCK: Readonly<Record<StepClockName, string>> = {
  'unprofiled-mean': 'unprofiled-mean-step-time',
  'unprofiled-median': 'unprofiled-step-time',
  profiled: 'step-time',
};

export interface RungStep {
  ns: number;
  clock: StepClockName;
}

export const NOT_COMPARABLE = [
  'run-deleted',
  'not-analysed',
  'no-step-time',
  'different-clocks',
  'different-gpu',
] as const;
export type NotComparable = (typeof NOT_COMPARABLE)[number];

/** The best step time that is known of a rung; null when there is none. */
export function stepOf(rung: RungInput): RungStep | null {
  const clock = STEP_CLOCKS.find((candidate) => read(rung, candidate) !== null);
  const ns = clock && read(rung, clock);
  return clock && ns ? { ns, clock } : null;
}

/** How much faster `after` does the same work, by the best clock that both have. */
export function compareRungs(
  before: RungInput,
  after: RungInput,
): { speedup: number } | { reason: NotComparable } {
  for (const { report } of [after, before]) if (typeof report === 'string') return { reason: report };
  if (!stepOf(before) || !stepOf(after)) return { reason: 'no-step-time' };
  if (differ(gpuOf(before), gpuOf(after))) return { reason: 'different-gpu' };
  for (const clock of STEP_CLOCKS) {
    const [from, to] = [read(before, clock), read(after, clock)];
    if (from !== null && to !== null) return { speedup: (from / to) * workRatio(before, after) };
  }
  return { reason: 'different-clocks' };
}

function read({ report }: RungInput, clock: StepClockName): number | null {
  if (typeof report === 'string') return null;
  return report.metrics.find(({ id }) => id === METRIC_OF_CLOCK[clock])?.value || null;
}

/** A step of twice the tokens does twice the work. 1 where they are not known of both. */
function workRatio(before: RungInput, after: RungInput): number {
  const [from, to] = [tokensOf(before), tokensOf(after)];
  return from > 0 && to > 0 ? to / from : 1;
}

function tokensOf({ configuration }: RungInput): number {
  return Number(configuration.tokens_per_step ?? configuration.tokensPerStep ?? NaN);
}

function gpuOf({ configuration }: RungInput): string | undefined {
  return configuration.gpu ?? configuration['hardware.gpu'];
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}
