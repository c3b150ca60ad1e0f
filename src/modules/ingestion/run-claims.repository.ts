import { Injectable } from '@nestjs/common';
import { Database, type LostRun, toSafeNumber, type TeamScope } from '../../platform/database';
import { type AnalysisArtifact, type DeclaredRun } from './analysis-outcome';
import { type RunSetup } from './run-setup';
import { mayMove } from './run-state';
import { moveRun, type RunVersion } from './run-state.repository';
import { requeueLate } from './run-endings.repository';

/** A run to analyse, at the generation that was asked for. */
export interface PickedRun {
  teamId: string;
  runId: string;
  generation: number;
}

/** A run that a worker has taken for one attempt at its analysis. */
export interface ClaimedRun {
  teamId: string;
  version: RunVersion;
  artifacts: AnalysisArtifact[];
  declared: DeclaredRun;
  /** Since when it waits for this generation's analysis. */
  queuedAt: Date | null;
  /** W3C traceparent of the request that asked for it. */
  traceParent: string | null;
  /** How long it stood in line ready to be taken, ms; null when it was taken over from a silent worker. */
  waitedMs: number | null;
  /** How long it was held back before this attempt, ms. */
  heldBackMs: number;
}

export type Claim =
  | { kind: 'claimed'; run: ClaimedRun }
  /** It was tried as often as it may be; it is failed now, or queued anew because artifacts came meanwhile. */
  | { kind: 'exhausted'; nextGeneration: number | null }
  /** Somebody else was faster, or the team is at its limit since it was picked. */
  | { kind: 'lost' };

export interface ClaimRules {
  maxAttempts: number;
  /** A worker that gave no sign of life for this long has lost its claim. */
  silentAfterMs: number;
  /** Analyses of a team at a time, unless it has a limit of its own. */
  maxConcurrentPerTeam: number;
}

const EXHAUSTED = {
  code: 'analysis-crashed',
  reason: 'The analysis was started as often as it may be and never came to an end; its workers died on it.',
};

/** Ends a transaction whose claim must not stand. */
class TeamAtLimit extends Error {}

/** Which run is analysed next, and by whom. */
@Injectable()
export class RunClaimsRepository {
  constructor(private readonly database: Database) {}

  /** The run to analyse next, fair over teams; undefined when none may be taken now. */
  async pick({ silentAfterMs, maxConcurrentPerTeam }: ClaimRules): Promise<PickedRun | undefined> {
    const picked = await this.database.withoutTeam((scope) =>
      scope.pickRun(new Date(Date.now() - silentAfterMs), maxConcurrentPerTeam),
    );
    return picked && { teamId: picked.teamId, runId: picked.id, generation: picked.generation };
  }

  /**
   * Takes a run for one attempt at its analysis. The team's row is held from the claim to the commit, so that claims of
   * one team come one after the other and cannot exceed its limit together.
   */
  async claim(picked: PickedRun, rules: ClaimRules): Promise<Claim> {
    try {
      return await this.database.forTeam(picked.teamId, (scope) => claim(scope, picked, rules));
    } catch (error) {
      if (error instanceof TeamAtLimit) return { kind: 'lost' };
      throw error;
    }
  }

  /** Runs of all teams that need a job although they may have lost theirs, the longest silent first. */
  async findLost(
    { silentAfterMs, maxConcurrentPerTeam }: Omit<ClaimRules, 'maxAttempts'>,
    maxRows: number,
  ): Promise<LostRun[]> {
    const silentSince = new Date(Date.now() - silentAfterMs);
    return this.database.withoutTeam((scope) =>
      scope.findLostRuns(silentSince, maxConcurrentPerTeam, maxRows),
    );
  }

  /** The team's run that may be taken next, without regard to its limit; undefined when none waits. */
  async findWaiting(teamId: string): Promise<{ id: string; generation: number } | undefined> {
    return this.database.forTeam(teamId, async ({ run }) => {
      const waiting = await run.findFirst({
        where: { teamId, state: 'queued', OR: [{ notBefore: null }, { notBefore: { lte: new Date() } }] },
        select: { id: true, generation: true },
        orderBy: [{ queuedAt: 'asc' }, { id: 'asc' }],
      });
      return waiting ?? undefined;
    });
  }

  /**
   * When to look at the run again, ms from now, that nobody could pick: another worker is at it, or it is held back.
   * Undefined when it needs nobody, or its team is at its limit: then the end of an analysis calls for the next one.
   */
  async lookAgainInMs(
    { teamId, runId, generation }: PickedRun,
    { silentAfterMs, maxConcurrentPerTeam }: ClaimRules,
  ): Promise<number | undefined> {
    return this.database.forTeam(teamId, async (scope) => {
      const run = await scope.run.findFirst({
        where: { teamId, id: runId, generation, team: { deletedAt: null } },
        select: { state: true, stateChangedAt: true, aliveAt: true, notBefore: true },
      });
      if (!run || !mayMove(run.state, 'claim')) return undefined;
      if (run.state === 'analyzing') return lastSignMs(run) + silentAfterMs - Date.now();
      const heldBackMs = (run.notBefore?.getTime() ?? 0) - Date.now();
      if (heldBackMs > 0) return heldBackMs;
      const team = await scope.team.findFirst({
        where: { id: teamId },
        select: { maxConcurrentAnalyses: true },
      });
      const limit = team?.maxConcurrentAnalyses ?? maxConcurrentPerTeam;
      return (await countBusy(scope, silentAfterMs)) < limit ? 0 : undefined;
    });
  }
}

async function claim(
  scope: TeamScope,
  { teamId, runId, generation }: PickedRun,
  { maxAttempts, silentAfterMs, maxConcurrentPerTeam }: ClaimRules,
): Promise<Claim> {
  const run = await scope.run.findFirst({ where: { teamId, id: runId, generation } });
  if (!run || !mayMove(run.state, 'claim')) return { kind: 'lost' };
  const nowMs = Date.now();
  const sinceMs = run.stateChangedAt.getTime();
  if (run.state === 'analyzing' && nowMs - lastSignMs(run) < silentAfterMs) return { kind: 'lost' };
  const seen = { runId, generation, attempts: run.attempts };
  if (run.attempts >= maxAttempts) {
    if (!(await moveRun(scope, 'fail', seen, { failure: EXHAUSTED }))) return { kind: 'lost' };
    return { kind: 'exhausted', nextGeneration: await requeueLate(scope, seen) };
  }
  const version = { ...seen, attempts: run.attempts + 1 };
  if (!(await moveRun(scope, 'claim', seen, { attempts: version.attempts }))) return { kind: 'lost' };
  const limit = (await serve(scope)) ?? maxConcurrentPerTeam;
  if ((await countBusy(scope, silentAfterMs)) > limit) throw new TeamAtLimit();
  const readyMs = Math.max(sinceMs, run.notBefore?.getTime() ?? 0);
  return {
    kind: 'claimed',
    run: {
      teamId,
      version,
      artifacts: await includeArtifacts(scope, version),
      // Written by our own intake from a RunSetup; compatible changes only add to it.
      declared: { commit: run.commit, worldSize: run.worldSize, setup: run.setup as RunSetup },
      queuedAt: run.queuedAt,
      traceParent: run.traceParent,
      waitedMs: run.state === 'queued' ? Math.max(0, nowMs - readyMs) : null,
      heldBackMs: Math.max(0, (run.notBefore?.getTime() ?? 0) - sinceMs),
    },
  };
}

/** Notes that the team is served now, holding its row until the transaction ends; gives the team's own limit. */
async function serve({ teamId, $queryRaw }: TeamScope): Promise<number | null> {
  const [team] = await $queryRaw<{ limit: number | null }[]>`
    UPDATE teams SET last_served_at = clock_timestamp() WHERE id = ${teamId}::uuid AND deleted_at IS NULL
    RETURNING max_concurrent_analyses AS limit`;
  // A team that is being deleted is served no more.
  return team ? team.limit : 0;
}

/** Analyses of the team that give signs of life. */
function countBusy({ teamId, run }: TeamScope, silentAfterMs: number): Promise<number> {
  const since = new Date(Date.now() - silentAfterMs);
  const isAlive = { OR: [{ aliveAt: { gte: since } }, { aliveAt: null, stateChangedAt: { gte: since } }] };
  return run.count({ where: { teamId, state: 'analyzing', ...isAlive } });
}

/** When somebody last did something with the run. */
function lastSignMs({ aliveAt, stateChangedAt }: { aliveAt: Date | null; stateChangedAt: Date }): number {
  return (aliveAt ?? stateChangedAt).getTime();
}

/** The artifacts that there are now; the analysis of this generation has them all. */
async function includeArtifacts(
  scope: TeamScope,
  { runId, generation }: RunVersion,
): Promise<AnalysisArtifact[]> {
  const where = { teamId: scope.teamId, runId, state: { in: ['uploaded' as const, 'verified' as const] } };
  await scope.artifact.updateMany({
    where: { ...where, includedIn: null },
    data: { includedIn: generation },
  });
  const rows = await scope.artifact.findMany({
    where: { ...where, includedIn: { not: null } },
    select: { id: true, name: true, objectKey: true, sizeBytes: true, sha256: true, state: true },
    // The order decides which of two traces of one rank is used: the same every time.
    orderBy: { name: 'asc' },
  });
  return rows.map(({ state, ...row }) => ({
    ...row,
    sizeBytes: toSafeNumber(row.sizeBytes),
    // An object ends with the id of the artifact that it was made for; others are put on it when it is verified.
    wasVerified: state === 'verified' || !row.objectKey.endsWith(`/${row.id}`),
  }));
}
