import { type TeamScope } from '../../platform/database';
import { RUN_TRANSITIONS, type RunTransition } from './run-state';

/** Which run, and as the caller last saw it; what has moved on since then is not changed. */
export interface RunVersion {
  runId: string;
  generation: number;
  attempts: number;
}

export interface RunChange {
  generation?: number;
  attempts?: number;
  failure?: { code: string; reason: string };
}

/**
 * The only way to change a run's state: one conditional UPDATE. False when the run is no longer in a state that allows
 * it, or no longer the version that the caller saw; then somebody else was first, and nothing was changed.
 */
export async function moveRun(
  scope: TeamScope,
  transition: RunTransition,
  { runId, generation, attempts }: RunVersion,
  change: RunChange = {},
): Promise<boolean> {
  const { from, to } = RUN_TRANSITIONS[transition];
  const { failure, ...counters } = change;
  const { count } = await scope.run.updateMany({
    where: { teamId: scope.teamId, id: runId, state: { in: [...from] }, generation, attempts },
    data: {
      ...counters,
      state: to,
      stateChangedAt: new Date(),
      failureCode: failure?.code ?? null,
      failureReason: failure?.reason ?? null,
    },
  });
  return count === 1;
}
