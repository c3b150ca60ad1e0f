import { type Config } from '../../platform/config';
import { toSafeNumber } from '../../platform/database';

/** The limits of the installation, for teams that have none of their own. */
export type DefaultLimits = Config['quotas'];

/** The limits of one team, as they are stored: null is the installation's default. */
export interface OwnLimits {
  maxStoredBytes: bigint | null;
  maxRunsPerDay: number | null;
  maxConcurrentAnalyses: number | null;
  retentionDays: number | null;
}

/** What holds for a team. */
export interface TeamLimits {
  storedBytes: number;
  /** A day is one in UTC. */
  runsPerDay: number;
  queuedRuns: number;
  concurrentAnalyses: number;
  retentionDays: number;
}

/** The columns of `OwnLimits`, for queries. */
export const limitColumns = {
  maxStoredBytes: true,
  maxRunsPerDay: true,
  maxConcurrentAnalyses: true,
  retentionDays: true,
} as const;

/** The team's own limits where it has some, the installation's elsewhere. */
export function limitsInForce(own: OwnLimits, defaults: DefaultLimits): TeamLimits {
  return {
    storedBytes: toSafeNumber(own.maxStoredBytes) ?? defaults.storedBytes,
    runsPerDay: own.maxRunsPerDay ?? defaults.runsPerDay,
    queuedRuns: defaults.queuedRuns,
    concurrentAnalyses: own.maxConcurrentAnalyses ?? defaults.concurrentAnalyses,
    retentionDays: own.retentionDays ?? defaults.retentionDays,
  };
}
