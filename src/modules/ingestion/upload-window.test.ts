import { isProblem } from '../../platform/errors';
import { type RunState } from './run-state';
import { refuseClosedUpload } from './upload-window';

const refusal = (state: RunState, ageS: number, failureCode: string | null = null) => {
  try {
    refuseClosedUpload({ state, failureCode, createdAt: new Date(Date.now() - ageS * 1000) }, 100);
    return undefined;
  } catch (error) {
    if (isProblem(error, 'upload-closed')) return 'closed';
    return isProblem(error, 'run-not-awaiting-upload') ? 'given up' : error;
  }
};

describe('the window for artifacts', () => {
  it('is open for a while after the run was completed, and as long as it was not', () => {
    for (const state of ['queued', 'analyzing', 'done', 'failed'] as const) {
      expect(refusal(state, 90)).toBeUndefined();
      expect(refusal(state, 110)).toBe('closed');
    }
    expect(refusal('awaitingUpload', 110)).toBeUndefined();
  });

  it('closes when the upload was given up', () => {
    expect(refusal('failed', 1, 'upload-abandoned')).toBe('given up');
  });
});
