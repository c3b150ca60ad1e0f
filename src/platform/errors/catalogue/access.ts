import { type ProblemDefinition } from './problem-definition';

/** Sign-in, tokens, scopes and teams. */
export const accessProblems = {
  unauthenticated: {
    status: 401,
    title: 'A credential is needed',
    action: 'Send the header Authorization: Bearer with an API token or an access token.',
  },
  'login-failed': {
    status: 401,
    title: 'E-mail address or password is wrong',
    action: 'Check both, and ask an owner of your team whether your account exists.',
  },
  'session-invalid': {
    status: 401,
    title: 'The access token is not valid',
    action: 'Log in again with POST /v1/auth/login.',
  },
  'session-expired': {
    status: 401,
    title: 'The access token has expired',
    action: 'Get a new one with POST /v1/auth/refresh, or log in again with POST /v1/auth/login.',
  },
  'membership-ended': {
    status: 401,
    title: 'You are no longer a member of this team',
    action: 'Name another of your teams in POST /v1/auth/refresh, or ask an owner of this one.',
  },
  'token-unknown': {
    status: 401,
    title: 'The API token is not known',
    action: 'Check that the token was copied whole; create a new one if it is lost.',
  },
  'token-expired': {
    status: 401,
    title: 'The API token has expired',
    action: 'Create a new token with POST /v1/tokens.',
  },
  'token-revoked': {
    status: 401,
    title: 'The API token was revoked',
    action: 'Create a new token with POST /v1/tokens, and find out why this one was revoked.',
  },
  'scope-missing': {
    status: 403,
    title: 'The credential does not allow this',
    action: 'Use a credential that has the scope named in the detail.',
  },
  'token-limited': {
    status: 403,
    title: 'The token is limited to some models or clusters',
    action: 'Use a token without limits, or ask for the runs that this one may see.',
  },
  'outside-token-limits': {
    status: 403,
    title: 'The token may not create such a run',
    action: 'Send a model and a cluster that the token is limited to, or use a token without these limits.',
  },
  'not-a-member': {
    status: 403,
    title: 'You are not a member of this team',
    action: 'Check the slug of the team, or ask one of its owners to add you.',
  },
  'team-required': {
    status: 409,
    title: 'Which team is meant is not clear',
    action: 'Log in again and name the team in the field team.',
  },
  'token-not-found': {
    status: 404,
    title: 'There is no such token',
    action: 'List the tokens of your team with GET /v1/tokens.',
  },
  'team-slug-taken': {
    status: 409,
    title: 'A team with this slug exists',
    action: 'Choose another slug.',
  },
  'email-taken': {
    status: 409,
    title: 'An account with this e-mail address exists',
    action: 'Log in with it, or use another address.',
  },
} as const satisfies Record<string, ProblemDefinition>;
