import { z } from 'zod';
import { type HostProfileReport, hostProfileSchema } from './host-profile-schema';
import { type MemoryReport, memorySchema } from './memory-schema';
import { type MonitorReport, monitorReportSchema } from './monitor-schema';
import { type NetworkReport, networkSchema } from './network-schema';
import { type StepDistribution, stepDistributionSchema } from './step-distribution-schema';

const value = z.union([z.number(), z.string()]);

/** Two artifacts of one run that say different things of the same. */
export const disagreementSchema = z.object({
  subject: z.enum(['step-time', 'peak-memory', 'gpu', 'world-size']),
  unit: z.enum(['ns', 'bytes', 'count']).nullable(),
  believed: z.object({ source: z.string(), value }),
  others: z.array(z.object({ source: z.string(), value })),
});
export type Disagreement = z.infer<typeof disagreementSchema>;

/** The sections of a report that rules may ask. */
export interface RunEvidenceReport {
  stepDistributions: StepDistribution[];
  monitors: MonitorReport | null;
  network: NetworkReport | null;
  memory: MemoryReport | null;
  hostProfile: HostProfileReport | null;
}

/** What the artifacts beside the traces say; each null where none of its kind was uploaded. */
export const evidenceSchemas = {
  /** Step times measured without the profiler, series by series. */
  stepDistributions: z.array(stepDistributionSchema).optional(),
  monitors: monitorReportSchema.nullable().optional(),
  network: networkSchema.nullable().optional(),
  memory: memorySchema.nullable().optional(),
  /** Where the host spent its time: of a profile, else of the Python frames in the traces. */
  hostProfile: hostProfileSchema.nullable().optional(),
  disagreements: z.array(disagreementSchema).optional(),
};
