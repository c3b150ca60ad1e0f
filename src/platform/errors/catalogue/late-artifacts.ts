import { type ProblemDefinition } from './problem-definition';

/** Files that come after a run was completed, and further analyses. */
export const lateArtifactProblems = {
  'upload-closed': {
    status: 409,
    title: 'The run takes no more artifacts',
    action:
      'Create a new run for further artifacts; runs take them for LATE_ARTIFACTS_S after they were created.',
  },
  'artifact-rejected': {
    status: 409,
    title: 'What was uploaded of the artifact was rejected',
    action:
      'Register the file again with POST /v1/runs/{id}/artifacts and upload it; when the run takes no more artifacts, ' +
      'create a new run.',
  },
  'analysis-in-progress': {
    status: 409,
    title: 'An analysis of the run is going on, or waits for its turn',
    action: 'Wait until the run is done or failed, then ask again if that analysis is not enough.',
  },
  'nothing-to-analyze': {
    status: 409,
    title: 'The run has nothing that could be analysed',
    action: 'Upload its files and end the upload with POST /v1/runs/{id}/complete.',
  },
} as const satisfies Record<string, ProblemDefinition>;
