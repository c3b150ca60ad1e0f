import { z } from 'zod';
import { BOTTLENECKS } from '../bottleneck';
import { estimateSchema } from '../estimates';
import { figureSchema } from '../units/figure';
import { optionSchema } from './option-schema';
import { recordingStepSchema } from './recording-schema';

export const SYMPTOM_IDS = [
  'low-utilisation-with-blanks',
  'low-utilisation-between-kernels',
  'low-utilisation-with-collectives',
  'high-utilisation-but-slow',
  'memory-free-but-small-batch',
  'step-time-varies',
  'low-power',
] as const;

/** One row of the symptom table. `seen` is null when the evidence for it is missing; the figure then says what. */
export const symptomSchema = z.object({
  symptom: z.enum(SYMPTOM_IDS),
  seen: z.boolean().nullable(),
  figure: figureSchema,
  pointsTo: z.array(z.enum(BOTTLENECKS)),
});
export type SymptomReport = z.infer<typeof symptomSchema>;

/** Ways to look at how busy the device is, side by side: no single one names a cause. */
export const utilisationPanelSchema = z.object({
  figures: z.array(figureSchema),
  /** What the figures say together; null when nothing contradicts the first look. */
  note: z.enum(['busy-with-idle-sms', 'memory-full-device-hungry', 'waiting-counts-as-busy']).nullable(),
});
export const UTILISATION_IDS = [
  'gpu-util',
  'gpu-util-unprofiled',
  'sm-activity',
  'occupancy',
  'tensor-core-share',
  'memory-bandwidth',
  'power',
  'mfu',
  'peak-memory',
] as const;
export type UtilisationPanel = z.infer<typeof utilisationPanelSchema>;

/** What the core advises beside its findings. */
export const adviceSchema = z.object({
  utilisation: utilisationPanelSchema,
  symptoms: z.array(symptomSchema),
  options: z.array(optionSchema),
  recordings: z.array(recordingStepSchema),
  /** Floors for this run's model and GPU; null when `estimateReason` says what is missing. */
  estimate: estimateSchema.nullable(),
  estimateReason: z.string().nullable(),
});
export type Advice = z.infer<typeof adviceSchema>;
