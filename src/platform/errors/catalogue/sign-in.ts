import { type ProblemDefinition } from './problem-definition';

/** Sessions and their refresh tokens, and sign-in with an OpenID provider. */
export const signInProblems = {
  'refresh-token-missing': {
    status: 401,
    title: 'A refresh token is needed',
    action: 'Send it in the field refreshToken, or let the browser send the cookie that signing in gave it.',
  },
  'refresh-token-unknown': {
    status: 401,
    title: 'The refresh token is not known',
    action: 'Check that it was copied whole; log in again if it is lost.',
  },
  'refresh-token-reused': {
    status: 401,
    title: 'The refresh token was used before',
    action:
      'Log in again. If you did not use it twice, somebody else has a copy: look at GET /v1/auth/sessions and change your password.',
  },
  'refresh-token-in-use': {
    status: 409,
    title: 'Another request uses this refresh token right now',
    action: 'Use the answer of the other request; one refresh token gives one successor.',
  },
  'session-ended': {
    status: 401,
    title: 'The session has ended',
    action: 'Log in again with POST /v1/auth/login.',
  },
  'session-not-found': {
    status: 404,
    title: 'There is no such session',
    action: 'List your sessions with GET /v1/auth/sessions.',
  },
  'person-required': {
    status: 403,
    title: 'Only people can do this',
    action: 'Log in with POST /v1/auth/login and use the access token instead of an API token.',
  },
  'password-wrong': {
    status: 403,
    title: 'The current password is wrong',
    action: 'Check it, or ask whoever runs this installation to reset it if it is lost.',
  },
  'password-reset-unknown': {
    status: 404,
    title: 'The password reset is not known, or cannot be used any more',
    action: 'Check that the token was copied whole, or ask whoever runs this installation for a new one.',
  },
  'fresh-sign-in-needed': {
    status: 403,
    title: 'A fresh sign-in is needed',
    action: 'Sign in again, and send the same request with the new access token.',
  },
  'sign-in-busy': {
    status: 503,
    title: 'Too many people are signing in at the moment',
    action: 'Send the same request again after the number of seconds in the Retry-After header.',
  },
  'oidc-not-configured': {
    status: 404,
    title: 'There is no sign-in with an OpenID provider here',
    action: 'See GET /v1/auth/methods for the ways to sign in.',
  },
  'oidc-login-invalid': {
    status: 400,
    title: 'This sign-in was not begun here, or is over',
    action: 'Begin the sign-in again, in the same browser.',
  },
  'oidc-refused': {
    status: 403,
    title: 'The OpenID provider did not let you in',
    action: 'Begin the sign-in again, and agree there; ask its operators if it refuses.',
  },
  'oidc-email-unverified': {
    status: 403,
    title: 'The OpenID provider has not verified your e-mail address',
    action: 'Have the provider verify your address, then begin the sign-in again.',
  },
  'oidc-account-unknown': {
    status: 403,
    title: 'You have no account here',
    action: 'Ask an owner of your team to invite the e-mail address that the provider has of you.',
  },
  'oidc-account-taken': {
    status: 403,
    title: 'The account with your e-mail address belongs to somebody else at the OpenID provider',
    action:
      'Sign in at the provider as before, or ask an owner of your team to invite another address of yours.',
  },
  'oidc-answer-invalid': {
    status: 502,
    title: 'The answer of the OpenID provider is not acceptable',
    action:
      'Begin again; if it happens again, the operators should compare OIDC_ISSUER and OIDC_CLIENT_ID with the provider.',
  },
  'oidc-unavailable': {
    status: 503,
    title: 'The OpenID provider cannot be reached',
    action: 'Try again in a few seconds (Retry-After), or sign in with a password.',
  },
} as const satisfies Record<string, ProblemDefinition>;
