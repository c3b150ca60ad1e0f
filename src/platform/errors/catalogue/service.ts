import { type ProblemDefinition } from './problem-definition';

/** What is wrong on the side of the service. */
export const serviceProblems = {
  'internal-error': {
    status: 500,
    title: 'Something went wrong on our side',
    action: 'Try again; if it happens again, report it with the request id in instance.',
  },
  'database-unavailable': {
    status: 503,
    title: 'The database cannot be reached',
    action:
      'Send the same request again after the number of seconds in the Retry-After header, with the same Idempotency-Key ' +
      'where the operation takes one: it is then carried out once.',
  },
  'object-store-unavailable': {
    status: 503,
    title: 'The object store cannot be reached',
    action: 'Send the same request again after the number of seconds in the Retry-After header.',
  },
  'queue-unavailable': {
    status: 503,
    title: 'The job queue cannot be reached',
    action: 'Send the same request again after the number of seconds in the Retry-After header.',
  },
  'not-ready': {
    status: 503,
    title: 'The service is not ready',
    action: 'Wait; the parts that are not ready are listed in errors.',
  },
} as const satisfies Record<string, ProblemDefinition>;
