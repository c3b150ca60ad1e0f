import { z } from 'zod';

/** Values of the run that fill in words. */
export const valuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type Values = z.infer<typeof valuesSchema>;
