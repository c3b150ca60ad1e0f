import { z } from 'zod';
import { idleSchema, type StepBreakdown, stepSchema } from '../analysis';

/** Where the mean counted step of one rank goes, as traced; the parts sum as those of a step do. */
export const meanStepSchema = stepSchema
  .pick({ wallNs: true, computeNs: true, exposedCommunicationNs: true, exposedMemcpyNs: true, idleNs: true })
  .extend({ idle: idleSchema, stepCount: z.number().int().positive() });
export type MeanStep = z.infer<typeof meanStepSchema>;

type Idle = StepBreakdown['idle'];

/** The mean of the steps that count; null when none does. */
export function meanOfSteps(steps: readonly StepBreakdown[]): MeanStep | null {
  const counted = steps.filter(({ excluded }) => excluded === null);
  if (counted.length === 0) return null;
  const mean = (of: (step: StepBreakdown) => number) =>
    Math.round(counted.reduce((sum, step) => sum + of(step), 0) / counted.length);
  const causes = Object.keys(counted[0].idle) as (keyof Idle)[];
  const idle = Object.fromEntries(causes.map((cause) => [cause, mean((s) => s.idle[cause])])) as Idle;
  const idleNs = causes.reduce((sum, cause) => sum + idle[cause], 0);
  const parts = {
    computeNs: mean((s) => s.computeNs),
    exposedCommunicationNs: mean((s) => s.exposedCommunicationNs),
    exposedMemcpyNs: mean((s) => s.exposedMemcpyNs),
    idleNs,
  };
  // The sum of the rounded parts, so that they still add up.
  const wallNs = Object.values(parts).reduce((sum, ns) => sum + ns, 0);
  return { wallNs, ...parts, idle, stepCount: counted.length };
}
