import { optional, withDefault } from './variable';
import { integer, port, sizeBytes } from './variable-types';

// S3 refuses parts under 5 MiB (but for the last) and over 5 GiB, and more than 10,000 parts an object.
const smallestPartBytes = 5 * 2 ** 20;
const largestPartBytes = 5 * 2 ** 30;
// Presigned URLs of signature version 4 are good for seven days at most.
const longestUrlTtlS = 7 * 86_400;

/** What clients may upload. */
export const uploadVariables = {
  MAX_ARTIFACT_BYTES: withDefault('Largest artifact.', '20GiB', sizeBytes()),
  MAX_RUN_BYTES: withDefault('All artifacts of one run together.', '200GiB', sizeBytes()),
  MAX_ARTIFACTS_PER_RUN: withDefault('Artifacts of one run.', '4096', integer(1, 100_000)),
  UPLOAD_PART_BYTES: withDefault(
    'Size of a part of a multipart upload; larger artifacts get larger parts, so that 10,000 suffice.',
    '16MiB',
    sizeBytes(smallestPartBytes, largestPartBytes),
  ),
  UPLOAD_URL_TTL_S: withDefault(
    'How long a presigned upload URL is good, seconds.',
    '3600',
    integer(60, longestUrlTtlS),
  ),
  UPLOAD_EXPIRY_S: withDefault(
    'How long the upload of a run may take before it is given up and what was uploaded is deleted, seconds.',
    '604800',
    integer(3600, 365 * 86_400),
  ),
  LATE_ARTIFACTS_S: withDefault(
    'How long after its creation a run takes further artifacts although it was completed, such as those of late ranks, seconds.',
    '86400',
    integer(0, 365 * 86_400),
  ),
  INGEST_MAX_BYTES: withDefault(
    'Largest body of PUT /v1/ingest, which streams through the API.',
    '5GiB',
    sizeBytes(),
  ),
};

/** What one analysis may cost. */
export const analysisVariables = {
  ANALYSIS_TIMEOUT_S: withDefault('Wall-clock time of one analysis, seconds.', '600', integer(1, 86_400)),
  ANALYSIS_MEMORY_MB: withDefault('Memory of one analysis process, MiB.', '2048', integer(128, 1_048_576)),
  ANALYSIS_MAX_DECOMPRESSED_BYTES: withDefault(
    'Bytes of one artifact after decompression.',
    '16GiB',
    sizeBytes(),
  ),
  ANALYSIS_MAX_COMPRESSION_RATIO: withDefault(
    'Decompressed bytes per compressed byte above which an artifact is refused as hostile; traces reach about 30.',
    '200',
    integer(2, 100_000),
  ),
  ANALYSIS_MAX_SCRATCH_BYTES: withDefault(
    'Bytes of one artifact that an analysis may unpack to a temporary file, which databases need. TMPDIR has to have this for each analysis that runs at a time.',
    '4GiB',
    sizeBytes(),
  ),
  ANALYSIS_MAX_EVENTS: withDefault('Events of one artifact.', '30000000', integer(1)),
};

/** The worker processes. */
export const workerVariables = {
  WORKER_CONCURRENCY: withDefault('Analyses that one worker process runs at a time.', '1', integer(1, 256)),
  RECONCILE_INTERVAL_S: withDefault('How often lost work is looked for, seconds.', '15', integer(1, 3600)),
  STALLED_AFTER_S: withDefault(
    'How long a run may stay queued or analyzing without a sign of life before it is queued again, seconds.',
    '60',
    integer(5, 86_400),
  ),
  ANALYSIS_ATTEMPTS: withDefault('Attempts at one analysis before the run fails.', '3', integer(1, 20)),
  WORKER_GRACE_S: withDefault(
    'How long a worker process may look stuck, while its servers answer, before GET /health/live fails, seconds.',
    '120',
    integer(1, 86_400),
  ),
  WORKER_METRICS_PORT: optional(
    'Port on HOST at which a worker process answers GET /metrics, /health/live and /health/ready; none unless given, 0 takes a free one.',
    port(),
  ),
};
