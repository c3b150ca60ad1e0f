import { type HostActivityKind } from '../timeline/function-activity';

/** Which part a thread plays: the training loop, a worker process of the data loader, or anything else. */
export const THREAD_ROLES = ['main', 'loader-worker', 'other'] as const;
export type ThreadRole = (typeof THREAD_ROLES)[number];

export const PROFILE_SOURCES = ['py-spy-dump', 'speedscope', 'collapsed-stacks', 'trace'] as const;
export type ProfileSource = (typeof PROFILE_SOURCES)[number];

/** A thread that was profiled. Weights are in the unit of the profile. */
export interface ProfiledThread {
  name: string;
  process: string | null;
  role: ThreadRole;
  sampleCount: number;
  /** With what was idle. */
  weight: number;
  /** Null where the profiler does not tell: most leave idle threads out, and only a dump names who holds the lock. */
  idleWeight: number | null;
  gilWeight: number | null;
}

/** A function in the threads of one role. Idle samples do not count. */
export interface ProfiledFunction {
  name: string;
  /** Empty where the profiler gives none. */
  file: string;
  activity: HostActivityKind;
  role: ThreadRole;
  selfWeight: number;
  inclusiveWeight: number;
  /** Weight while it held the interpreter lock. */
  gilWeight: number;
}

/** Where the host spent its time, by a profiler of Python. */
export interface HostProfile {
  source: ProfileSource;
  /** From the file name, or from the trace. */
  rank: number | null;
  /** Of all weights. Samples are no time: how far apart they were taken is not known. */
  unit: 'ns' | 'samples';
  threads: ProfiledThread[];
  functions: ProfiledFunction[];
  /** Weight by what the innermost frame with a telling activity is about, idle samples left out. */
  activities: Record<ThreadRole, Partial<Record<HostActivityKind, number>>>;
}
