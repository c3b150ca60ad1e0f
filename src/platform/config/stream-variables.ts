import { integer } from './variable-types';
import { withDefault } from './variable';

/** Event streams of runs: answers that stay open. */
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
};
