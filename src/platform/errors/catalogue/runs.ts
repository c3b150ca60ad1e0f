import { type ProblemDefinition } from './problem-definition';

/** Uploading a run, and reading what became of it. */
export const runProblems = {
  'run-not-found': {
    status: 404,
    title: 'There is no such run',
    action: 'Check the id, and that your credential belongs to the team of the run.',
  },
  'artifact-not-found': {
    status: 404,
    title: 'The run has no such artifact',
    action: 'List the artifacts of the run with GET /v1/runs/{id}.',
  },
  'artifact-not-uploaded': {
    status: 409,
    title: 'The artifact is not uploaded yet',
    action: 'Upload its parts and complete the run; then it can be downloaded.',
  },
  'artifact-gone': {
    status: 410,
    title: 'The bytes of the artifact are not stored any more',
    action: 'Upload the file again to a new run, from where it was recorded.',
  },
  'too-many-downloads': {
    status: 429,
    title: 'Too many files are downloaded at once',
    action: 'Wait until one of the downloads is over, then ask again.',
  },
  'run-not-awaiting-upload': {
    status: 409,
    title: 'The run takes no more artifacts',
    action: 'Create a new run for further artifacts.',
  },
  'artifact-conflict': {
    status: 409,
    title: 'The run has another artifact of this name',
    action: 'Choose another name, or register the content that was registered first.',
  },
  'too-many-artifacts': {
    status: 409,
    title: 'The run has as many artifacts as it may have',
    action: 'Upload fewer files, for example one trace per rank.',
  },
  'artifact-too-large': {
    status: 413,
    title: 'The artifact is too large',
    action: 'Record fewer steps, or compress the file with gzip.',
  },
  'run-too-large': {
    status: 413,
    title: 'The artifacts of the run are too large together',
    action: 'Record fewer steps, or compress the files with gzip.',
  },
  'no-artifacts': {
    status: 409,
    title: 'The run has no artifacts',
    action: 'Register at least one with POST /v1/runs/{id}/artifacts and upload its parts.',
  },
  'upload-incomplete': {
    status: 409,
    title: 'Parts of the upload are missing',
    action: 'Upload the parts listed in errors (GET …/parts gives fresh URLs), then complete again.',
  },
  'size-mismatch': {
    status: 422,
    title: 'The uploaded bytes are not as many as declared',
    action:
      'Register the artifact again with its true size and upload it again; what was uploaded was deleted.',
  },
  'checksum-mismatch': {
    status: 422,
    title: 'The uploaded bytes do not have the declared checksum',
    action:
      'Compute the checksum over the file as it is sent and upload it again; what was uploaded was deleted.',
  },
  'digest-invalid': {
    status: 400,
    title: 'The checksum header cannot be read',
    action:
      'Send X-Content-SHA256 with 64 hexadecimal digits, or Digest: sha-256= with the checksum in base64.',
  },
  'empty-file': {
    status: 400,
    title: 'The file is empty',
    action: 'Upload the file after the profiler has closed it.',
  },
  'unknown-format': {
    status: 422,
    title: 'The file is of no kind that can be analysed',
    action: 'Upload a PyTorch profiler trace: .pt.trace.json or .pt.trace.json.gz.',
  },
  'idempotency-key-invalid': {
    status: 400,
    title: 'The Idempotency-Key cannot be used',
    action: 'Send 1 to 255 printable ASCII characters, for example a UUID.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    action: 'Use a new key for a new request; repeat a request with exactly the same content.',
  },
  'idempotency-key-in-progress': {
    status: 409,
    title: 'A request with this Idempotency-Key is still being answered',
    action: 'Send the same request again after the number of seconds in the Retry-After header.',
  },
  'report-not-ready': {
    status: 409,
    title: 'The report is not ready yet',
    action: 'Ask again after the number of seconds in the Retry-After header.',
  },
  'report-not-found': {
    status: 404,
    title: 'The run has no report of this generation',
    action: 'Leave out generation to get the latest report.',
  },
  'too-many-streams': {
    status: 429,
    title: 'Too many event streams are open',
    action: 'Close streams that nobody reads, or ask for the run itself from time to time.',
  },
  'run-failed': {
    status: 409,
    title: 'The analysis of the run failed',
    action: 'Read the reason in the detail, and upload the run again when it can be mended.',
  },
} as const satisfies Record<string, ProblemDefinition>;
