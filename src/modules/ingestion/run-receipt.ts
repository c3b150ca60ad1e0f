import { type StoredRun } from './stored-run.repository';
import { type RunReceipt } from './upload-schemas';

/** Paths of a run in the API. */
export const runLinks = (runId: string) => ({
  self: `/v1/runs/${runId}`,
  report: `/v1/runs/${runId}/report`,
});

/** A stored run as the upload routes answer with it. */
export function toReceipt({ id, state, generation, failureCode, failureReason }: StoredRun): RunReceipt {
  return {
    id,
    state,
    generation,
    failure: failureCode === null ? null : { code: failureCode, reason: failureReason ?? '' },
    links: runLinks(id),
  };
}
