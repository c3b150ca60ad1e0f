import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { STEP_PART_NAMES } from '../../../../analysis';
import { pointInTime, printableLine } from '../../../../platform/http';

const dayMs = 86_400_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

export const FLEET_GROUPS = ['model', 'cluster', 'workload', 'model-and-cluster'] as const;
export type FleetGroup = (typeof FLEET_GROUPS)[number];
/** Most groups of one answer, those with the most GPUs at work first. */
export const GROUPS_PER_ANSWER = 200;

export const fleetQuerySchema = z
  .strictObject({
    groupBy: z.enum(FLEET_GROUPS).default('model').describe('What makes a group.'),
    from: pointInTime
      .optional()
      .describe(`Only runs of then or later. Default: ${USUAL_DAYS} days before to.`),
    to: pointInTime.optional().describe('Only runs before then. Default: now.'),
    model: printableLine(200).optional().describe('Only runs of this model.'),
    cluster: printableLine(200).optional().describe('Only runs on this cluster.'),
    workload: printableLine(200).optional().describe('Only runs of this workload.'),
  })
  .transform(({ from, to = new Date(), ...rest }) => ({
    ...rest,
    to,
    from: from ?? new Date(to.getTime() - USUAL_DAYS * dayMs),
  }))
  .refine(({ from, to }) => from < to, { message: 'must be after from', path: ['to'] })
  .refine(({ from, to }) => to.getTime() - from.getTime() <= MOST_DAYS * dayMs, {
    message: `must be at most ${MOST_DAYS} days before to`,
    path: ['from'],
  });
export type FleetQuery = z.output<typeof fleetQuerySchema>;
export class FleetQueryDto extends createZodDto(fleetQuerySchema) {}

const gpuHours = z
  .number()
  .nullable()
  .describe('Null where no run says how long it ran and on how many GPUs.');
const share = z.number().nullable().describe('Of the step time, weighted by GPUs; null without any.');

const usageSchema = z.object({
  runs: z.int().describe('Finished runs.'),
  runsWithGpuHours: z.int().describe('Of these, those that say durationS and worldSize.'),
  runsWithSteps: z.int().describe('Of these, those whose report has steps; shares stand on them.'),
  gpuHours,
  parts: z
    .array(z.object({ part: z.enum(STEP_PART_NAMES), gpuHours, share }))
    .describe(
      'Where the time of runs with steps went, adding up to all of it. In every part but compute, GPUs do not compute.',
    ),
  notComputing: z.object({ gpuHours, share }).describe('All parts but compute.'),
  gains: z
    .array(
      z.object({
        ...{ rule: z.string(), runs: z.int(), gpuHours, share },
        mostGpuHours: gpuHours.describe('What would come back at most; null where gpuHours is.'),
        mostShare: share.describe('At most; null where share is.'),
      }),
    )
    .describe(
      'By what was found: the time that would come back if its exposed time went away, the largest first, and the most ' +
        'that could, if communication and copies came to lie under compute too. Estimates that do not add up: fixing one ' +
        'uncovers another.',
    ),
  verdicts: z
    .array(z.object({ verdict: z.string(), runs: z.int() }))
    .describe('By bottleneck, the most runs first.'),
});

export class FleetDto extends createZodDto(
  z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    groupBy: z.enum(FLEET_GROUPS),
    total: usageSchema,
    groups: z
      .array(
        usageSchema.extend({
          value: z.string().nullable().describe('Of what makes a group; of model-and-cluster the model.'),
          cluster: z.string().nullable().describe('Of model-and-cluster; else null.'),
        }),
      )
      .max(GROUPS_PER_ANSWER),
    isTruncated: z.boolean().describe('Whether there are more groups; the total has them all.'),
    notes: z.array(z.string()).describe('What is not known, and what to send to know it.'),
  }),
) {}
