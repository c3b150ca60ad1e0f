import { activityOf, type HostActivityKind } from '../timeline/function-activity';
import {
  type HostProfile,
  type ProfiledFunction,
  type ProfiledThread,
  type ThreadRole,
} from './host-profile';
import { processName } from './process-name';
import { roleOfThread } from './thread-role';

/** Distinct functions and threads of one profile; programs have thousands and tens. */
const MAX_FUNCTIONS = 100_000;
const MAX_THREADS = 4096;
const MAX_NAME_CHARS = 300;

/** A function as it is kept while stacks are added; the same for every frame of it. */
export interface KnownFunction {
  name: string;
  file: string;
  activity: HostActivityKind;
  /** Weights by role, and the stack that was added last with it: recursion counts once. */
  byRole: Partial<Record<ThreadRole, { self: number; inclusive: number; gil: number }>>;
  lastStack: number;
}

/** Some samples of one thread that show the same stack. */
export interface StackSamples {
  process?: string | null;
  thread?: string | null;
  /** Outermost first. */
  frames: readonly KnownFunction[];
  weight: number;
  sampleCount: number;
  /** Null or absent where the profiler does not tell. */
  idle?: boolean | null;
  gil?: boolean | null;
}

/** Sums stacks up into a profile, with bounds on what is told apart. */
export class HostProfileBuilder {
  private readonly functions = new Map<string, KnownFunction>();
  private readonly threads = new Map<string, ProfiledThread>();
  private readonly activities: HostProfile['activities'] = { main: {}, 'loader-worker': {}, other: {} };
  private readonly overflow = known('(other functions)', '');
  private stackCount = 0;
  /** Functions and threads beyond the bounds, joined into one. */
  joinedCount = 0;

  get isEmpty(): boolean {
    return this.stackCount === 0;
  }

  function(name: string, file: string): KnownFunction {
    const key = `${file}\n${name}`;
    let found = this.functions.get(key);
    if (found) return found;
    if (this.functions.size >= MAX_FUNCTIONS) {
      this.joinedCount++;
      return this.overflow;
    }
    found = known(name.slice(0, MAX_NAME_CHARS), file.slice(-MAX_NAME_CHARS));
    this.functions.set(key, found);
    return found;
  }

  add({
    process = null,
    thread = null,
    frames,
    weight,
    sampleCount,
    idle = null,
    gil = null,
  }: StackSamples): void {
    this.stackCount++;
    const entry = this.threadOf(process, thread, frames);
    entry.sampleCount = Math.min(Number.MAX_SAFE_INTEGER, entry.sampleCount + sampleCount);
    entry.weight += weight;
    if (idle !== null) entry.idleWeight = (entry.idleWeight ?? 0) + (idle ? weight : 0);
    if (gil !== null) entry.gilWeight = (entry.gilWeight ?? 0) + (gil ? weight : 0);
    if (idle || frames.length === 0) return;
    const { role } = entry;
    let activity: HostActivityKind | null = null;
    let plain: HostActivityKind | null = null;
    for (let i = frames.length - 1; i >= 0; i--) {
      const frame = frames[i];
      if (frame.activity !== 'framework' && frame.activity !== 'user-code') activity ??= frame.activity;
      // A built-in does the work of whoever calls it.
      else if (!frame.name.startsWith('<built-in')) plain ??= frame.activity;
      const weights = (frame.byRole[role] ??= { self: 0, inclusive: 0, gil: 0 });
      if (i === frames.length - 1) {
        weights.self += weight;
        if (gil) weights.gil += weight;
      }
      if (frame.lastStack === this.stackCount) continue;
      frame.lastStack = this.stackCount;
      weights.inclusive += weight;
    }
    activity ??= plain ?? 'user-code';
    this.activities[role][activity] = (this.activities[role][activity] ?? 0) + weight;
  }

  build(about: Pick<HostProfile, 'source' | 'rank' | 'unit'>): HostProfile {
    const all = [...this.functions.values(), this.overflow];
    const functions = all.flatMap(({ name, file, activity, byRole }) =>
      Object.entries(byRole).map(([role, weights]): ProfiledFunction => ({
        name,
        file,
        activity,
        role: role as ThreadRole,
        selfWeight: weights.self,
        inclusiveWeight: weights.inclusive,
        gilWeight: weights.gil,
      })),
    );
    return { ...about, threads: [...this.threads.values()], functions, activities: this.activities };
  }

  private threadOf(
    process: string | null,
    name: string | null,
    frames: readonly KnownFunction[],
  ): ProfiledThread {
    const role = roleOfThread(process, name, frames);
    // Profiles without threads mix those of several roles.
    const isNamed = name !== null || process !== null;
    let key = isNamed ? `${process ?? ''}\n${name ?? ''}` : role;
    if (this.threads.size >= MAX_THREADS && !this.threads.has(key)) {
      this.joinedCount++;
      key = `(other threads) ${role}`;
      process = null;
      name = '(other threads)';
    }
    let thread = this.threads.get(key);
    if (!thread) {
      thread = {
        name: (name ?? '').slice(0, MAX_NAME_CHARS),
        process: process === null ? null : processName(process),
        role,
        sampleCount: 0,
        weight: 0,
        idleWeight: null,
        gilWeight: null,
      };
      this.threads.set(key, thread);
    }
    return thread;
  }
}

function known(name: string, file: string): KnownFunction {
  return { name, file, activity: activityOf(name, file), byRole: {}, lastStack: 0 };
}
