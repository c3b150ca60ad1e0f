import { z } from 'zod';

/** Units of figures; durations are ns, sizes bytes, ratios 0 to 1. */
export const FIGURE_UNITS = [
  'ns',
  'ratio',
  'count',
  'bytes',
  'bytesPerSec',
  'flop',
  'flopPerSec',
  'flopPerByte',
] as const;

/** A value with its unit and where it comes from. A missing value has a reason and is never zero. */
export const figureSchema = z.object({
  id: z.string(),
  value: z.number().nullable(),
  unit: z.enum(FIGURE_UNITS),
  source: z.enum(['measured', 'modelled', 'notMeasurable']),
  reason: z.string().optional(),
});

export type Figure = z.infer<typeof figureSchema>;
