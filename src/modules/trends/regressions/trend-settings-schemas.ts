import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { PRESETS, SENSITIVITIES } from '../sensitivity';
import { METRIC_IDS } from './schemas';

const minChangeRatio = z
  .number()
  .min(0.001)
  .max(10)
  .describe('Least change that matters, as a share of the level before.')
  .meta({ example: 0.03 });
const minScore = z
  .number()
  .min(3)
  .max(100)
  .describe('How rare a difference must be by chance, in standard deviations of a normal distribution.')
  .meta({ example: 5 });
const presets = SENSITIVITIES.map(
  (one) => `${one}: ${100 * PRESETS[one].minChangeRatio} % and a score of ${PRESETS[one].minScore}`,
).join('; ');
const sensitivity = z.enum(SENSITIVITIES).describe(`In the place of the two numbers. ${presets}.`);

const thresholds = {
  sensitivity: sensitivity.optional(),
  minChangeRatio: minChangeRatio.optional(),
  minScore: minScore.optional(),
};
interface Thresholds {
  sensitivity?: unknown;
  minChangeRatio?: number;
  minScore?: number;
}
const saysOneThing = (given: Thresholds) =>
  given.sensitivity === undefined || (given.minChangeRatio === undefined && given.minScore === undefined);
const oneThing = 'must have either sensitivity, or minChangeRatio and minScore';

const metricSetting = z
  .strictObject({
    ...thresholds,
    alerts: z.boolean().optional().describe('Whether a change of this metric is a regression by itself.'),
  })
  .refine(saysOneThing, oneThing);

/** Settings of a team; what is left out is as the installation has it. */
export const trendSettingsSchema = z
  .strictObject({
    ...thresholds,
    metrics: z
      .record(
        z.string().refine((id) => METRIC_IDS.includes(id), `must be one of ${METRIC_IDS.join(', ')}`),
        metricSetting,
      )
      .default({})
      .describe('Other settings for single metrics, by their ids of GET /v1/metrics-catalogue.')
      .meta({ example: { 'step-time': { sensitivity: 'high' } } }),
  })
  .refine(saysOneThing, oneThing);
export type TrendSettings = z.output<typeof trendSettingsSchema>;

export class TrendSettingsChangeDto extends createZodDto(trendSettingsSchema) {}
export class TrendSettingsDto extends createZodDto(
  z.object({
    settings: z
      .object({
        ...thresholds,
        metrics: z.record(z.string(), z.object({ ...thresholds, alerts: z.boolean().optional() })),
      })
      .describe('What the team says; PUT takes this.'),
    inForce: z
      .array(z.object({ metricId: z.string(), alerts: z.boolean(), minChangeRatio, minScore }))
      .describe('What holds for each metric; those that are told about by themselves come first.'),
  }),
) {}
