import { z } from 'zod';

const distribution = z
  .object({ mean: z.number(), p10: z.number(), p50: z.number(), p90: z.number(), max: z.number() })
  .nullable();
const share = z.number().min(0).max(1).nullable();

/** One device, from the first to the last sample in which it had work. Null: the monitor did not record it. Shares are of 1. */
export const monitoredDeviceSchema = z.object({
  path: z.string(),
  tool: z.string(),
  id: z.string(),
  name: z.string().nullable(),
  sampleCount: z.number().int().nonnegative(),
  /** Samples before and after, in which the device had none. */
  samplesLeftOut: z.number().int().nonnegative(),
  /** Median time between samples, s. */
  intervalS: z.number().nullable(),
  smUtilisation: distribution,
  memoryUtilisation: distribution,
  smActive: distribution,
  tensorActive: distribution,
  dramActive: distribution,
  powerW: distribution,
  powerLimitW: z.number().nullable(),
  atPowerLimitShare: share,
  smClockMhz: distribution,
  /** Share of the busy samples whose clock was more than 5 % below the highest. */
  throttledShare: share,
  throttleCause: z.enum(['thermal', 'power', 'unknown']).nullable(),
  maxTemperatureC: z.number().nullable(),
  maxMemoryUsedBytes: z.number().nullable(),
  /** Utilisation that goes up and down evenly, as when the device waits for data again and again. */
  sawTooth: z
    .object({ periodSamples: z.number(), periodS: z.number().nullable(), strength: z.number() })
    .nullable(),
});

export const monitorReportSchema = z.object({
  /** Devices that had work, at most 64. */
  devices: z.array(monitoredDeviceSchema),
  /** Devices that were watched and had none. */
  idleDeviceCount: z.number().int().nonnegative(),
});

export type MonitorReport = z.infer<typeof monitorReportSchema>;
