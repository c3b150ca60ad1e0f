import { type ProblemDefinition } from './problem-definition';

/** Regressions, and what people do with them. */
export const regressionProblems = {
  'regression-not-found': {
    status: 404,
    title: 'There is no such regression',
    action: 'List the regressions of your team with GET /v1/regressions?state=any.',
  },
  'regression-state-conflict': {
    status: 409,
    title: 'The regression is in a state that does not allow this',
    action:
      'Look at its state with GET /v1/regressions/{id}; somebody else, or a new run, may have changed it.',
  },
  'regression-superseded': {
    status: 409,
    title: 'A later regression of the same runs is open',
    action:
      'Look at the regression that the detail names; a series and branch has one open regression at a time.',
  },
  'assignee-not-a-member': {
    status: 422,
    title: 'The person is not in the team',
    action: 'List the members of your team with GET /v1/members, or invite the person first.',
  },
} as const satisfies Record<string, ProblemDefinition>;
