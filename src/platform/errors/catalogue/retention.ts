import { type ProblemDefinition } from './problem-definition';

/** Deleting what a team has. */
export const retentionProblems = {
  'owner-required': {
    status: 403,
    title: 'Only an owner of the team can do this',
    action: 'Ask an owner of your team to do it, signed in with an account of their own.',
  },
  'confirmation-mismatch': {
    status: 422,
    title: 'The confirmation does not name the team',
    action: 'Send the slug of the team in the field confirm; GET /v1/me shows it.',
  },
} as const satisfies Record<string, ProblemDefinition>;
