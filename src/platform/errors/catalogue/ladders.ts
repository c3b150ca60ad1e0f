import { type ProblemDefinition } from './problem-definition';

/** Ladders of runs. */
export const ladderProblems = {
  'ladder-not-found': {
    status: 404,
    title: 'There is no such ladder',
    action: 'List the ladders of your team with GET /v1/ladders.',
  },
  'ladder-name-taken': {
    status: 409,
    title: 'The team has a ladder of this name',
    action: 'Choose another name, or change the ladder that has it.',
  },
  'ladder-limit-reached': {
    status: 409,
    title: 'The team has as many ladders as it may have',
    action: 'Delete a ladder that is not needed any more.',
  },
} as const satisfies Record<string, ProblemDefinition>;
