/** The states of a run, as in the database. */
export const RUN_STATES = ['awaitingUpload', 'queued', 'analyzing', 'done', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

interface Transition {
  readonly from: readonly RunState[];
  readonly to: RunState;
}

/**
 * Every change of a run's state. Each is one conditional UPDATE (`moveRun`), so of two that race one finds nothing to
 * change.
 */
export const RUN_TRANSITIONS = {
  /** All bytes are there: ask for an analysis, of the next generation. */
  queue: { from: ['awaitingUpload'], to: 'queued' },
  /** Ask for another analysis, of the next generation: files came late, or somebody wants it. */
  requeue: { from: ['done', 'failed'], to: 'queued' },
  /** A worker takes the run, also from a worker that has fallen silent. */
  claim: { from: ['queued', 'analyzing'], to: 'analyzing' },
  /** The worker at it gives a sign of life. */
  heartbeat: { from: ['analyzing'], to: 'analyzing' },
  /** The worker at it cannot go on, for a reason that is not the run's: another one shall. */
  release: { from: ['analyzing'], to: 'queued' },
  finish: { from: ['analyzing'], to: 'done' },
  /** Nobody completed the upload in time. */
  abandon: { from: ['awaitingUpload'], to: 'failed' },
  fail: { from: ['queued', 'analyzing'], to: 'failed' },
} as const satisfies Record<string, Transition>;

export type RunTransition = keyof typeof RUN_TRANSITIONS;

/** Whether a run in this state may make this change. */
export function mayMove(state: RunState, transition: RunTransition): boolean {
  return (RUN_TRANSITIONS[transition].from as readonly RunState[]).includes(state);
}

/** Why an analysis failed for good; stable, part of the API. Refused input adds the codes of the analysis core. */
export const FAILURE_CODES = {
  'checksum-mismatch': 'The stored bytes of an artifact do not have the declared SHA-256.',
  'upload-abandoned': 'The upload was begun and not completed in time.',
  'artifact-missing': 'An artifact is no longer in the object store.',
  'analysis-timeout': 'The analysis took longer than it may.',
  'out-of-memory': 'The analysis needed more memory than it may have.',
  'too-many-steps': 'The run has more steps than a report keeps.',
  'result-not-storable': 'The report has values that the database does not take.',
  'analysis-crashed': 'The analysis ended unexpectedly as often as it may be tried.',
} as const;
export type FailureCode = keyof typeof FAILURE_CODES;

/** Failures that are ours, not the run's: operators see them as dead letters and may retry them. */
export const DEAD_LETTER_CODES: readonly FailureCode[] = [
  'analysis-crashed',
  'result-not-storable',
  'artifact-missing',
];
