import { z } from 'zod';
import { adviceSchema } from './advice';
import { operatorTotalsSchema } from './attribution/operator-totals';
import { BOTTLENECKS } from './bottleneck';
import { measuredKernelsSchema } from './roofline/measured-schema';
import { evidenceSchemas } from './evidence/evidence-schema';
import { hostEvidenceSchema } from './evidence/host-evidence';
import { rooflineSchema } from './roofline/roofline-schema';
import { figureSchema } from './units/figure';

/**
 * The schema of a report. One report answers one run: all its artifacts, all its ranks.
 * Compatible changes (new optional fields, new ids) keep the major number of `REPORT_SCHEMA_VERSION`.
 */
export const REPORT_SCHEMA_VERSION = '1.1.0';

/** Changes whenever the same input would give a different report. */
export const ANALYSIS_VERSION = '0.2.0';

export { BOTTLENECKS, type Bottleneck } from './bottleneck';
export { type Figure, figureSchema } from './units/figure';

const ns = z.number().int().nonnegative();
const confidence = z.enum(['high', 'medium', 'low']);

/** An operation a person can find again in the trace. */
export const operationSchema = z.object({
  name: z.string(),
  /** What it is: kernel, host op, runtime call, collective… */
  kind: z.string(),
  count: z.number().int().nonnegative(),
  totalNs: ns,
  rank: z.number().int().nullable(),
});

export const evidenceSchema = z.object({
  figures: z.array(figureSchema),
  operations: z.array(operationSchema),
  ranks: z.array(z.number().int()),
  steps: z.array(z.number().int()),
  /** Functions of the host, where a profile of it was uploaded or the trace has Python frames. */
  host: hostEvidenceSchema.optional(),
});

/** A fix is an id, which has its text in the presentation, and this run's own values for it. */
export const fixSchema = z.object({
  id: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export const findingSchema = z.object({
  rule: z.string(),
  bottleneck: z.enum(BOTTLENECKS),
  /** From the share of the step that the finding costs. */
  severity: z.enum(['critical', 'major', 'minor']),
  confidence,
  /** Exposed time of the mean step that the cause takes. */
  costNs: ns,
  /** Estimate: the mean step without the exposed time of the cause. What follows from its going away is not in it. */
  expectedStepNs: ns,
  /** Bound: the compute that the cause is no part of. No fix of this cause alone brings the step below it. */
  leastStepNs: ns,
  evidence: evidenceSchema,
  /** What other artifacts say of why it is so: an id, which has its text in the presentation, and this run's values. */
  causes: z.array(fixSchema).optional(),
  fixes: z.array(fixSchema),
});

export const idleSchema = z.object({
  inputWaitNs: ns,
  syncWaitNs: ns,
  allocatorNs: ns,
  launchGapNs: ns,
  hostOtherNs: ns,
  dependencyNs: ns,
  unexplainedNs: ns,
});

/** Sums exactly: the four parts to `wallNs`, the causes in `idle` to `idleNs`. */
export const stepSchema = z.object({
  /** Number of the step as the trace names it, else counted from 0. */
  index: z.number().int(),
  /** From the rank's first event. */
  startNs: ns,
  wallNs: ns,
  computeNs: ns,
  exposedCommunicationNs: ns,
  exposedMemcpyNs: ns,
  idleNs: ns,
  idle: idleSchema,
  /** Device operations launched by this step. */
  deviceOpCount: z.number().int().nonnegative(),
  /** Why the step is left out of averages; null when it counts. */
  excluded: z.string().nullable(),
});

export const rankSchema = z.object({
  rank: z.number().int(),
  path: z.string(),
  device: z.string().nullable(),
  /** How step windows were found. */
  stepsFrom: z.enum(['markers', 'repetition', 'whole-trace']),
  steps: z.array(stepSchema),
});

export const kernelClassSchema = z.object({
  class: z.string(),
  count: z.number().int().nonnegative(),
  totalNs: ns,
});

export const collectiveSummarySchema = z.object({
  name: z.string(),
  dtype: z.string().nullable(),
  groupSize: z.number().int().nullable(),
  count: z.number().int().nonnegative(),
  /** Mean message size; null when the trace carries none. */
  sizeBytes: z.number().nullable(),
  /** Mean over the collectives, shortest duration over ranks: everybody has arrived. */
  transferNs: ns,
  /** Mean bus bandwidth, decimal; null when the size is not known. */
  busBandwidthBytesPerSec: z.number().nullable(),
  /**
   * Mean time that each rank was in it before the last one came, in the order of `perRank`; null for ranks that are not in
   * its group. Left out beyond the collectives that take longest where there are very many ranks.
   */
  waitNsByRank: z.array(ns.nullable()).optional(),
});

export const communicationSchema = z.object({
  /** What the figures stand on; `none` when they are not measurable, with the reason. */
  matchedBy: z.enum(['sequence', 'order', 'none']),
  reason: z.string().nullable(),
  /** By transfer time, longest first. */
  collectives: z.array(collectiveSummarySchema),
  /** Kinds of collectives beyond those. */
  collectivesLeftOut: z.number().int().nonnegative().optional(),
  /** Per rank, summed over the counted steps and divided by their number. */
  perRank: z.array(
    z.object({
      rank: z.number().int(),
      transferNs: ns,
      waitNs: ns,
      /** How much later than the first rank this one arrived, mean over the collectives. */
      latenessNs: ns,
    }),
  ),
  /** Clock of each rank against the first; `residualNs` is what the correction leaves (median absolute deviation). */
  clockOffsets: z.array(
    z.object({ rank: z.number().int(), offsetNs: z.number(), residualNs: z.number().nonnegative() }),
  ),
  /** Rank that the others wait for; null when nobody is clearly late. */
  stragglerRank: z.number().int().nullable(),
});

export const ruleOutcomeSchema = z.object({
  rule: z.string(),
  outcome: z.enum(['finding', 'absent', 'not-measurable', 'failed']),
  reason: z.string().nullable(),
});

/** The mean step without the profiler's share: what findings are weighed by. Modelled from the true step time. */
export const calibratedStepSchema = z.object({
  wallNs: ns,
  computeNs: ns,
  exposedTransferNs: ns,
  exposedWaitNs: ns,
  exposedMemcpyNs: ns,
  recomputeNs: ns,
  idle: idleSchema,
});

export const problemSchema = z.object({
  kind: z.string(),
  severity: z.enum(['info', 'repaired', 'data-loss', 'fatal']),
  count: z.number().int().positive(),
  paths: z.array(z.string()),
  example: z.string().optional(),
  advice: z.string(),
});

export const analysisSchema = z.object({
  schemaVersion: z.string(),
  analysisVersion: z.string(),
  verdict: z.object({
    bottleneck: z.enum([...BOTTLENECKS, 'none', 'not-measurable']),
    confidence,
  }),
  artifacts: z.array(z.object({ path: z.string(), format: z.string(), rank: z.number().int().nullable() })),
  /** What the uploaded metadata says of the run, flat, such as `loader.num_workers`; bounded, without secrets. */
  metadata: z.record(z.string(), z.string()).optional(),
  /** Mean step over the counted steps of all ranks. */
  stepTime: z.object({
    tracedMeanNs: ns.nullable(),
    /** Median of the uploaded step times, measured without the profiler. */
    unprofiledMedianNs: ns.nullable(),
  }),
  /** Null when no step times without the profiler were uploaded. */
  calibratedStep: calibratedStepSchema.nullable(),
  ranks: z.array(rankSchema),
  metrics: z.array(figureSchema),
  findings: z.array(findingSchema),
  ruleOutcomes: z.array(ruleOutcomeSchema),
  kernelClasses: z.array(kernelClassSchema),
  /** Of the counted steps of all ranks, longest first. */
  topKernels: z.array(operationSchema),
  /** Names beyond those in `topKernels`, and their time. */
  kernelsLeftOut: z.object({ names: z.number().int().nonnegative(), totalNs: ns }).optional(),
  communication: communicationSchema.nullable(),
  ...evidenceSchemas,
  /** Null without device activity, and after a defect, which is then a problem. */
  roofline: rooflineSchema.nullable(),
  /** Null without counters of Nsight Compute. */
  measuredKernels: measuredKernelsSchema.nullable().optional(),
  /** Null without tables of the PyTorch profiler. */
  operatorTotals: operatorTotalsSchema.nullable().optional(),
  /** Utilisation, symptoms, options, floors and what to record next; null only after a defect, which is then a problem. */
  advice: adviceSchema.nullable(),
  problems: z.array(problemSchema),
});

export type Operation = z.infer<typeof operationSchema>;
export type Evidence = z.infer<typeof evidenceSchema>;
export type Fix = z.infer<typeof fixSchema>;
/** Of the same shape as a fix. */
export type Cause = Fix;
export type Finding = z.infer<typeof findingSchema>;
export type IdleCauses = z.infer<typeof idleSchema>;
export type StepBreakdown = z.infer<typeof stepSchema>;
export type RankReport = z.infer<typeof rankSchema>;
export type CommunicationReport = z.infer<typeof communicationSchema>;
export { type OperatorTotalsReport } from './attribution/operator-totals';
export type RuleOutcome = z.infer<typeof ruleOutcomeSchema>;
/** The report without prose; see src/presentation for the words. */
export type Analysis = z.infer<typeof analysisSchema>;
