import { z } from 'zod';
import { type Figure, figureSchema } from '../units/figure';

export const ESTIMATE_GROUPS = ['communication', 'memory', 'compute'] as const;

/** A figure with the formula that it follows from, in words and symbols, and where that is published. */
export const estimateFigureSchema = figureSchema.extend({
  group: z.enum(ESTIMATE_GROUPS),
  formula: z.string(),
  citation: z.string().nullable(),
});
export type EstimateFigure = z.infer<typeof estimateFigureSchema>;

/** Makes the figures of one group. */
export function figuresOf(group: EstimateFigure['group']) {
  return {
    known: (
      id: string,
      value: number,
      unit: Figure['unit'],
      formula: string,
      citation: string | null = null,
    ): EstimateFigure => ({ id, group, value, unit, source: 'modelled', formula, citation }),
    missing: (id: string, unit: Figure['unit'], reason: string, formula: string): EstimateFigure => ({
      id,
      group,
      value: null,
      unit,
      source: 'notMeasurable',
      reason,
      formula,
      citation: null,
    }),
  };
}

/** Names of what a formula lacks, as a reason. */
export function needs(...fields: string[]): string {
  return `needs ${fields.join(', ')}`;
}
