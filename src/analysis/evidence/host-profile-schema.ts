import { z } from 'zod';
import { PROFILE_SOURCES, THREAD_ROLES } from '../formats/host-profile';
import { HOST_ACTIVITIES } from '../timeline/function-activity';

const ratio = z.number().min(0).max(1);
const count = z.number().int().nonnegative();
const role = z.enum(THREAD_ROLES);
const activity = z.enum(HOST_ACTIVITIES);

export const hostThreadSchema = z.object({
  name: z.string(),
  process: z.string().nullable(),
  role,
  sampleCount: count,
  /** Of the weight of all threads. */
  share: ratio,
  /** Of the thread's own weight; null where the profiler does not tell. */
  idleShare: ratio.nullable(),
  gilShare: ratio.nullable(),
});

/** A function by its share of what the threads of its role did; samples of idle threads do not count. */
export const hostFunctionSchema = z.object({
  name: z.string(),
  file: z.string(),
  activity,
  role,
  selfShare: ratio,
  inclusiveShare: ratio,
});

export const hostActivitySchema = z.object({ role, activity, share: ratio });

/** Where the host spent its time, by a profiler of Python: py-spy, or the frames in a trace while the device was idle. */
export const hostProfileSchema = z.object({
  source: z.enum(PROFILE_SOURCES),
  rank: z.number().int().nullable(),
  /** What shares are shares of: time, or samples, of which it is not known how far apart they were. */
  unit: z.enum(['ns', 'samples']),
  sampleCount: count,
  threads: z.array(hostThreadSchema),
  activities: z.array(hostActivitySchema),
  functions: z.array(hostFunctionSchema),
  /** Who held the interpreter lock in the samples of dumps; null without a dump. */
  gil: z
    .object({
      sampleCount: count,
      holders: z.array(z.object({ name: z.string(), file: z.string(), activity, role, share: ratio })),
    })
    .nullable(),
  /** Other profiles of the host that were uploaded and are not shown: fewer samples. */
  otherProfileCount: count,
});

export type HostProfileReport = z.infer<typeof hostProfileSchema>;
export type HostFunction = z.infer<typeof hostFunctionSchema>;
