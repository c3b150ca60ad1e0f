import { z } from 'zod';
import { defineJob, type PayloadOf } from '../../platform/queue';

/**
 * Analyse one generation of a run. The job is only a hint: the run's state in the database says whether there is
 * something to do. Its attempts bridge short outages; longer ones are left to the reconciler, which queues the run again.
 */
export const analyzeRunJob = defineJob({
  name: 'analyze-run',
  version: 1,
  payload: { runId: z.uuid(), generation: z.number().int().positive() },
  attempts: 6,
  backoff: { delayMs: 1_000 },
});

export type AnalyzeRunPayload = PayloadOf<typeof analyzeRunJob>;

/** One job per generation of a run, however often it is asked for. */
export function analyzeRunJobId(runId: string, generation: number): string {
  return `${analyzeRunJob.name}-${runId}-${generation}`;
}

/**
 * One job for the room that an analysis leaves when it ends. It must not be that of a run: the job of the run that waits
 * longest may be the very one that is ending, or one that found no room a moment ago.
 */
export function roomJobId(ended: { runId: string; generation: number; attempts: number }): string {
  return `${analyzeRunJob.name}-after-${ended.runId}-${ended.generation}-${ended.attempts}`;
}
