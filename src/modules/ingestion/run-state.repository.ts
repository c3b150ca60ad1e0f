import { type TeamScope } from '../../platform/database';
import { type EventType, recordEvent } from '../../platform/events';
import { currentTraceParent } from '../../platform/telemetry';
import { countAnalysis } from '../quotas';
import { RUN_TRANSITIONS, type RunState, type RunTransition } from './run-state';

/** What is told of a run that comes into this state; awaiting its upload it was created. */
const EVENT_OF_STATE: Record<RunState, EventType> = {
  awaitingUpload: 'run.created',
  queued: 'run.queued',
  analyzing: 'run.analyzing',
  done: 'run.done',
  failed: 'run.failed',
};

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
  /** No worker takes it before then; on release only. */
  notBefore?: Date | null;
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
      // A sign of life changes nothing that people see.
      ...(transition === 'heartbeat'
        ? { aliveAt: new Date() }
        : { stateChangedAt: new Date(), aliveAt: null }),
      failureCode: failure?.code ?? null,
      failureReason: failure?.reason ?? null,
      // A released run keeps its place in the line.
      ...(transition === 'queue' || transition === 'requeue'
        ? { queuedAt: new Date(), notBefore: null, traceParent: currentTraceParent() }
        : {}),
    },
  });
  if (count === 0) return false;
  if (transition !== 'heartbeat') await recordStateEvent(scope, runId, to, change, generation);
  if (transition === 'fail') await countAnalysis(scope, runId);
  return true;
}

/** Tells of a run's state. Called in the transaction that changed it, while its row is locked. */
export async function recordStateEvent(
  scope: TeamScope,
  runId: string,
  state: RunState,
  { failure, ...change }: RunChange,
  generation: number,
): Promise<void> {
  await recordEvent(scope, {
    type: EVENT_OF_STATE[state],
    runId,
    data: {
      state,
      generation: change.generation ?? generation,
      ...(failure ? { failureCode: failure.code, failureReason: failure.reason } : {}),
    },
  });
}
