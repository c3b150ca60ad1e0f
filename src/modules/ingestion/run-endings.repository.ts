import { type TeamScope } from '../../platform/database';
import { moveRun, type RunVersion } from './run-state.repository';

/** How many artifacts of the run are uploaded and in no analysis yet. */
export function countNotIncluded({ teamId, artifact }: TeamScope, runId: string): Promise<number> {
  return artifact.count({
    where: { teamId, runId, state: { in: ['uploaded', 'verified'] }, includedIn: null },
  });
}

/**
 * Queues a run that has just ended for its next generation when artifacts came while it was analysed, in the transaction
 * that ended it: an artifact that was accepted always gets into a report. Gives that generation, or null.
 */
export async function requeueLate(scope: TeamScope, ended: RunVersion): Promise<number | null> {
  if ((await countNotIncluded(scope, ended.runId)) === 0) return null;
  return requeue(scope, ended);
}

/** Queues a done or failed run for its next generation; null when it has moved on meanwhile. */
export async function requeue(scope: TeamScope, seen: RunVersion): Promise<number | null> {
  const generation = seen.generation + 1;
  return (await moveRun(scope, 'requeue', seen, { generation, attempts: 0 })) ? generation : null;
}
