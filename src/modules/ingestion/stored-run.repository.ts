import { type TeamScope } from '../../platform/database';
import { type RunState } from './run-state';

/** A run as the upload routes deal with it. */
export interface StoredRun {
  id: string;
  state: RunState;
  generation: number;
  attempts: number;
  failureCode: string | null;
  failureReason: string | null;
}

export const runColumns = {
  id: true,
  state: true,
  generation: true,
  attempts: true,
  failureCode: true,
  failureReason: true,
} as const;

/** Holds the run's row until the transaction ends, so that registrations and completions come one after the other. */
export async function lockRun(scope: TeamScope, runId: string): Promise<StoredRun | null> {
  await scope.$queryRaw`SELECT 1 FROM runs WHERE team_id = ${scope.teamId}::uuid AND id = ${runId}::uuid FOR UPDATE`;
  return scope.run.findFirst({ where: { teamId: scope.teamId, id: runId }, select: runColumns });
}
