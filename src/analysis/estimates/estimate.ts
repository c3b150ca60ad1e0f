import { z } from 'zod';
import { communicationFigures } from './communication';
import { computeFigures } from './compute';
import { estimateFigureSchema } from './estimate-figure';
import { completedRequestSchema, type EstimateRequest } from './estimate-request';
import { findGpu } from './find-gpu';
import { memoryFigures } from './memory';
import { layouts, layoutSchema } from './what-fits';

/** Floors of a run from first principles. */
export const estimateSchema = z.object({
  /** The request with its defaults. */
  request: completedRequestSchema,
  gpu: z.object({ id: z.string(), label: z.string() }).nullable(),
  figures: z.array(estimateFigureSchema),
  /** The same run laid out otherwise; empty when the GPU's memory is not known. */
  layouts: z.array(layoutSchema),
});
export type Estimate = z.infer<typeof estimateSchema>;

/**
 * What a run must communicate, hold in memory and compute at least, without any trace. Every figure carries its formula;
 * what the request does not allow to say is not measurable, with what is missing.
 */
export function estimate(request: EstimateRequest): Estimate {
  const gpu = request.gpu === undefined ? null : findGpu(request.gpu);
  return {
    request,
    gpu: gpu ? { id: gpu.id, label: gpu.label } : null,
    figures: [
      ...communicationFigures(request, gpu),
      ...memoryFigures(request, gpu),
      ...computeFigures(request, gpu),
    ],
    layouts: layouts(request, gpu),
  };
}
