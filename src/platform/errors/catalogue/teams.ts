import { type ProblemDefinition } from './problem-definition';

/** Teams: members, invitations, service accounts and the life of tokens. */
export const teamProblems = {
  'person-required': {
    status: 403,
    title: 'Only a person can do this',
    action: 'Sign in with an account of your own; an API token cannot do it.',
  },
  'team-creation-disabled': {
    status: 403,
    title: 'Teams are created by the operator here',
    action: 'Ask whoever runs this installation to create the team, or to set ALLOW_TEAM_CREATION=true.',
  },
  'role-too-high': {
    status: 403,
    title: 'The role is above yours',
    action: 'Ask somebody with that role, such as an owner of your team.',
  },
  'member-not-found': {
    status: 404,
    title: 'There is no such member',
    action: 'List the members of your team with GET /v1/members.',
  },
  'last-owner': {
    status: 409,
    title: 'A team keeps at least one owner',
    action: 'Make somebody else an owner first.',
  },
  'invitation-not-found': {
    status: 404,
    title: 'There is no such invitation',
    action: 'List the invitations of your team with GET /v1/invitations.',
  },
  'invitation-accepted': {
    status: 409,
    title: 'The invitation was accepted already',
    action: 'Remove the member with DELETE /v1/members/{userId} instead.',
  },
  'invitation-unknown': {
    status: 404,
    title: 'The invitation is not known',
    action: 'Check that the token was copied whole, or ask for a new invitation.',
  },
  'invitation-ended': {
    status: 410,
    title: 'The invitation cannot be used any more',
    action: 'Ask whoever invited you for a new one, unless you accepted it yourself.',
  },
  'invitation-proof-needed': {
    status: 401,
    title: 'Whose account it is must be proven',
    action: 'Send a password: that of your account, or one for a new account. Or send an access token.',
  },
  'invitation-for-another': {
    status: 403,
    title: 'The invitation is for somebody else',
    action: 'Sign out, and sign in with the e-mail address that was invited.',
  },
  'service-account-not-found': {
    status: 404,
    title: 'There is no such service account',
    action: 'List the service accounts of your team with GET /v1/service-accounts.',
  },
  'service-account-name-taken': {
    status: 409,
    title: 'A service account of this name exists',
    action: 'Choose another name.',
  },
  'service-account-disabled': {
    status: 409,
    title: 'The service account is disabled',
    action: 'Enable it with PATCH /v1/service-accounts/{id} first.',
  },
  'token-ended': {
    status: 409,
    title: 'The token works no longer',
    action: 'Create a new token with POST /v1/tokens.',
  },
  'token-rotated': {
    status: 409,
    title: 'The token was rotated before',
    action: 'Use its successor; if that was lost, an admin can rotate the successor.',
  },
} as const satisfies Record<string, ProblemDefinition>;
