import { ProblemError } from '../../platform/errors';
import { type RunState } from './run-state';

/** What says whether a run still takes artifacts. */
export interface UploadWindow {
  state: RunState;
  failureCode: string | null;
  createdAt: Date;
}

/**
 * Throws when the run takes no more artifacts: `run-not-awaiting-upload` when its upload was given up, `upload-closed`
 * when it was completed and `lateArtifactsS` have passed since its creation.
 */
export function refuseClosedUpload(
  { state, failureCode, createdAt }: UploadWindow,
  lateArtifactsS: number,
): void {
  if (failureCode === 'upload-abandoned') {
    throw new ProblemError('run-not-awaiting-upload', 'The run is failed: its upload was given up.');
  }
  const closesAt = new Date(createdAt.getTime() + lateArtifactsS * 1000);
  if (state === 'awaitingUpload' || closesAt > new Date()) return;
  throw new ProblemError(
    'upload-closed',
    `The run was completed, and took further artifacts until ${closesAt.toISOString()}.`,
  );
}
