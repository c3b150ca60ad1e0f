/** What a run can be held back by. */
export const BOTTLENECKS = [
  'input-pipeline',
  'host-cpu',
  'memory-pressure',
  'communication',
  'launch-overhead',
  'arithmetic-intensity',
  'straggler',
  'step-jitter',
] as const;
export type Bottleneck = (typeof BOTTLENECKS)[number];
