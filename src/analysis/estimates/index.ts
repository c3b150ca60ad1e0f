/** Floors from first principles: what a run must communicate, hold and compute, with or without a trace. */
export { estimate, estimateSchema, type Estimate } from './estimate';
export { ESTIMATE_GROUPS, type EstimateFigure } from './estimate-figure';
export {
  CHECKPOINTINGS,
  ESTIMATE_DTYPES,
  estimateRequestSchema,
  type EstimateRequest,
  type EstimateRequestInput,
  OPTIMIZERS,
  SHARDINGS,
} from './estimate-request';
export { LINK_NAMES } from './links';
export { type Layout } from './what-fits';
