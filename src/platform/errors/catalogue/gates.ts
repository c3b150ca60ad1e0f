import { type ProblemDefinition } from './problem-definition';

/** Policies of gates. */
export const gateProblems = {
  'gate-policy-not-found': {
    status: 404,
    title: 'There is no such gate policy',
    action: 'List the policies with GET /v1/gates/policies, and their revisions with GET …/{name}/revisions.',
  },
  'gate-policy-changed': {
    status: 412,
    title: 'The gate policy is not as the request expects it',
    action: 'Read the policy again, and send your change with its ETag as If-Match.',
  },
  'gate-policy-limit-reached': {
    status: 409,
    title: 'There are as many gate policies, or revisions of one, as there may be',
    action: 'Delete a policy that no gate uses, or save this one under a new name.',
  },
} as const satisfies Record<string, ProblemDefinition>;
