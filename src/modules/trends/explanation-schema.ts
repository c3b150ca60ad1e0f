import { z } from 'zod';
import { STEP_PART_NAMES } from '../../analysis';

const ns = z.number();
const named = z.object({
  name: z.string(),
  status: z
    .enum(['added', 'gone', 'slower', 'faster', 'unknown'])
    .describe('unknown: one side lists its longest only, and this may be among those that it left out.'),
  beforeNs: ns.nullable().describe('Of the mean step of one rank; null where it was not seen.'),
  afterNs: ns.nullable(),
  changeNs: ns,
  beforeCalls: z.number().nullable().describe('Calls of the mean step of one rank.'),
  afterCalls: z.number().nullable(),
});

/** Where a change of the step time went, as the API tells it. */
export const explanationSchema = z.object({
  clock: z
    .enum(['unprofiled', 'traced'])
    .describe('unprofiled: by step times without the profiler; traced: as recorded.'),
  beforeNs: ns,
  afterNs: ns,
  changeNs: ns,
  parts: z
    .array(z.object({ part: z.enum(STEP_PART_NAMES), beforeNs: ns, afterNs: ns, changeNs: ns }))
    .describe('Parts of the mean step. Their changes add up to changeNs; the largest comes first.'),
  kernelClasses: z.array(named),
  kernels: z.array(named),
  ops: z.array(named).describe('Operators of the framework, by the device time of their kernels.'),
  collectives: z.array(named),
  ranks: z
    .array(
      z.object({
        ...{ rank: z.int(), beforeNs: ns, afterNs: ns, changeNs: ns },
        beforeLatenessNs: ns
          .nullable()
          .describe('How much later than the first rank it came to the collectives of a step.'),
        afterLatenessNs: ns.nullable(),
      }),
    )
    .describe('Mean steps of the ranks, as traced.'),
  stragglerRank: z
    .object({ before: z.int().nullable(), after: z.int().nullable() })
    .describe('The rank that the others wait for; null when nobody is clearly late.'),
  configuration: z
    .array(
      z.object({
        name: z.string(),
        kind: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
        mayExplain: z
          .boolean()
          .describe('Whether what it belongs to is where the time went, or could be anywhere.'),
      }),
    )
    .describe('What was said of the runs and differs.'),
  explainedByConfiguration: z
    .boolean()
    .describe('Whether some difference of the configuration may explain the change.'),
});
