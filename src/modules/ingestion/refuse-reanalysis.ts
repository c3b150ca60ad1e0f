import { ProblemError } from '../../platform/errors';
import { type StoredRun } from './stored-run.repository';

/** Throws why a run cannot be analysed again now. `artifacts`: those whose bytes are there. */
export function refuseReanalysis(run: StoredRun | null, artifacts: number): asserts run is StoredRun {
  if (!run) throw new ProblemError('run-not-found', 'Your team has no run with this id.');
  if (run.state === 'queued' || run.state === 'analyzing') {
    throw new ProblemError('analysis-in-progress', `The run is ${run.state}: an analysis is to come.`, {
      retryAfterS: 5,
    });
  }
  if (run.state === 'awaitingUpload') {
    throw new ProblemError('nothing-to-analyze', 'The run is awaitingUpload: its files are not complete.');
  }
  if (run.failureCode === 'upload-abandoned' || artifacts === 0) {
    throw new ProblemError('nothing-to-analyze', 'No file of the run was uploaded as a whole.');
  }
}
