import { type ProblemDefinition } from './problem-definition';

/** What a team has used up. */
export const quotaProblems = {
  'quota-runs-exceeded': {
    status: 429,
    title: 'The team has created as many runs today as it may',
    action:
      'Go on after the number of seconds in the Retry-After header, at midnight in UTC, or ask the operator for more.',
  },
  'quota-bytes-exceeded': {
    status: 507,
    title: 'The team stores as many bytes as it may',
    action:
      'Delete runs that you no longer need with DELETE /v1/runs/{id}, or ask the operator for more room.',
  },
  'backlog-full': {
    status: 429,
    title: 'Too many runs of the team wait for their analysis',
    action: 'Send the same request again after the number of seconds in the Retry-After header.',
  },
} as const satisfies Record<string, ProblemDefinition>;
