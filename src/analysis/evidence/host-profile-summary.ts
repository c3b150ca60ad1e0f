import { type HostProfile, THREAD_ROLES, type ThreadRole } from '../formats/host-profile';
import { HOST_ACTIVITIES } from '../timeline/function-activity';
import { type HostFunction, type HostProfileReport } from './host-profile-schema';

const MAX_THREADS = 16;
const MAX_FUNCTIONS_PER_ROLE = 10;
const MAX_HOLDERS = 5;
/** Less of a role's weight than this is not worth a line. */
const LEAST_SHARE = 0.005;

/**
 * One summary of all profiles of the host: that with the most samples, and of the dumps who held the interpreter lock.
 * Null without a profile.
 */
export function summarizeHostProfiles(profiles: readonly HostProfile[]): HostProfileReport | null {
  const [shown, ...others] = [...profiles].sort(
    (a, b) => busySamples(b) - busySamples(a) || sampleCountOf(b) - sampleCountOf(a),
  );
  if (!shown) return null;
  const totals = busyWeights(shown);
  return {
    source: shown.source,
    rank: shown.rank,
    unit: shown.unit,
    sampleCount: sampleCountOf(shown),
    threads: threadsOf(shown),
    activities: THREAD_ROLES.flatMap((role) =>
      HOST_ACTIVITIES.flatMap((activity) => {
        const share = shareOf(shown.activities[role][activity] ?? 0, totals[role]);
        return share >= LEAST_SHARE ? [{ role, activity, share }] : [];
      }).sort((a, b) => b.share - a.share),
    ),
    functions: THREAD_ROLES.flatMap((role) => functionsOf(shown, role, totals[role])),
    gil: gilOf(profiles),
    otherProfileCount: others.length,
  };
}

/** Weight of a role's samples that were not idle. */
function busyWeights({ activities }: HostProfile): Record<ThreadRole, number> {
  const sum = (role: ThreadRole): number => Object.values(activities[role]).reduce((a, b) => a + b, 0);
  return { main: sum('main'), 'loader-worker': sum('loader-worker'), other: sum('other') };
}

/** A profile of the training loop goes before one that does not see it. */
function busySamples({ threads }: HostProfile): number {
  return threads
    .filter((t) => t.role === 'main' && t.weight > (t.idleWeight ?? 0))
    .reduce((sum, t) => sum + t.sampleCount, 0);
}

function sampleCountOf({ threads }: HostProfile): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    threads.reduce((sum, t) => sum + t.sampleCount, 0),
  );
}

function threadsOf({ threads }: HostProfile): HostProfileReport['threads'] {
  const total = threads.reduce((sum, t) => sum + t.weight, 0);
  return [...threads]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_THREADS)
    .map(({ name, process, role, sampleCount, weight, idleWeight, gilWeight }) => ({
      name,
      process,
      role,
      sampleCount,
      share: shareOf(weight, total),
      idleShare: idleWeight === null ? null : shareOf(idleWeight, weight),
      gilShare: gilWeight === null ? null : shareOf(gilWeight, weight),
    }));
}

/** The functions that do most themselves. */
function functionsOf({ functions }: HostProfile, role: ThreadRole, total: number): HostFunction[] {
  return functions
    .filter((f) => f.role === role)
    .sort((a, b) => b.selfWeight - a.selfWeight || b.inclusiveWeight - a.inclusiveWeight)
    .slice(0, MAX_FUNCTIONS_PER_ROLE)
    .map(({ name, file, activity, selfWeight, inclusiveWeight }) => ({
      name,
      file,
      activity,
      role,
      selfShare: shareOf(selfWeight, total),
      inclusiveShare: shareOf(inclusiveWeight, total),
    }))
    .filter((f) => f.selfShare >= LEAST_SHARE);
}

/** One sample of a dump is one look at all threads of a process: the lock is held by one of them at most. */
function gilOf(profiles: readonly HostProfile[]): HostProfileReport['gil'] {
  const dumps = profiles.filter((p) => p.threads.some((t) => t.gilWeight !== null));
  if (dumps.length === 0) return null;
  const held = dumps.flatMap((p) => p.functions).filter((f) => f.gilWeight > 0);
  const total = held.reduce((sum, f) => sum + f.gilWeight, 0);
  return {
    sampleCount: Math.round(total),
    holders: held
      .sort((a, b) => b.gilWeight - a.gilWeight)
      .slice(0, MAX_HOLDERS)
      .map(({ name, file, activity, role, gilWeight }) => ({
        name,
        file,
        activity,
        role,
        share: shareOf(gilWeight, total),
      })),
  };
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}
