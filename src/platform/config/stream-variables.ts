import { integer } from './variable-types';
import { withDefault } from './variable';

/** Answers that stay open for long: event streams of runs, and files that are downloaded. */
export const streamVariables = {
  EVENT_STREAMS_PER_TEAM: withDefault(
    'Event streams that one team may have open at one API process.',
    '20',
    integer(1, 10_000),
  ),
  EVENT_STREAMS_PER_PROCESS: withDefault(
    'Event streams that all teams together may have open at one API process; each is a connection.',
    '500',
    integer(1, 100_000),
  ),
  DOWNLOADS_PER_TEAM: withDefault(
    'Uploaded files that one team may download from one API process at a time.',
    '8',
    integer(1, 40),
  ),
  DOWNLOADS_PER_PROCESS: withDefault(
    'Uploaded files that all teams together may download from one API process at a time; each is a connection to the object store.',
    '24',
    integer(1, 40),
  ),
};
