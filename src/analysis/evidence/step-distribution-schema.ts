import { z } from 'zod';

const ns = z.number().int().nonnegative();

/** Step times of one rank, or of one log, measured without the profiler; the first two steps are left out. */
export const stepDistributionSchema = z.object({
  rank: z.number().int().nullable(),
  /** Who wrote them: our own hook, or the log of a framework. */
  source: z.string(),
  stepCount: z.number().int().positive(),
  /** False where an entry is the mean of several steps, which hides what varies from one to the next. */
  isOfSingleSteps: z.boolean(),
  meanNs: ns,
  minNs: ns,
  p10Ns: ns,
  medianNs: ns,
  p90Ns: ns,
  p99Ns: ns,
  maxNs: ns,
  /** 1 − median / mean: the share of the time that slow steps take beyond the usual. */
  lostRatio: z.number().min(0).max(1),
  /** Steps of more than one and a half times the median; null when there are none, or no single steps. */
  spikes: z
    .object({
      count: z.number().int().positive(),
      /** Beyond the median, of a spike. */
      meanExtraNs: ns,
      /** The same over all steps: what spikes cost a step on average. */
      extraPerStepNs: ns,
      /** Every so many steps; null when they do not come evenly. */
      periodSteps: z.number().int().positive().nullable(),
    })
    .nullable(),
});

export type StepDistribution = z.infer<typeof stepDistributionSchema>;
