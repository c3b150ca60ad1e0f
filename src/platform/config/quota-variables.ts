import { withDefault } from './variable';
import { integer, sizeBytes } from './variable-types';

/** Longest time that data may be kept, days: a century. */
export const longestRetentionDays = 36_500;

/** What a team may use. The command `limits` gives one team limits of its own of the first four kinds. */
export const quotaVariables = {
  QUOTA_STORED_BYTES: withDefault(
    'Bytes that the artifacts of a team may take up; the same content counts once.',
    '10TiB',
    sizeBytes(),
  ),
  QUOTA_RUNS_PER_DAY: withDefault(
    'Runs that a team may create on one day, in UTC.',
    '10000',
    integer(1, 2_147_483_647),
  ),
  RETENTION_DAYS: withDefault(
    'How long a finished run is kept, in days; then it is deleted with its files and reports.',
    '365',
    integer(1, longestRetentionDays),
  ),
  QUOTA_CONCURRENT_ANALYSES: withDefault(
    'Analyses of one team at the same time; its other runs wait.',
    '4',
    integer(1, 100_000),
  ),
  QUOTA_QUEUED_RUNS: withDefault(
    'Runs of a team that may wait for their analysis; while there are so many, no more are taken.',
    '5000',
    integer(1, 1_000_000),
  ),
  // A run of 600 ranks is some 1,800 requests, by one token and as fast as they are answered.
  REQUESTS_PER_MINUTE_PER_TEAM: withDefault(
    'Requests a minute with all credentials of one team.',
    '6000',
    integer(1, 10_000_000),
  ),
  REQUESTS_PER_MINUTE_PER_CREDENTIAL: withDefault(
    'Requests a minute with one API token, or by one person.',
    '3000',
    integer(1, 10_000_000),
  ),
  REQUESTS_PER_MINUTE_PER_ADDRESS: withDefault(
    'Requests a minute that need no credential, from one network address; health checks are not counted.',
    '600',
    integer(1, 10_000_000),
  ),
};
