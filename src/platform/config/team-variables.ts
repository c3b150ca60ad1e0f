import { withDefault } from './variable';
import { flag } from './variable-types';

/** Teams. */
export const teamVariables = {
  ALLOW_TEAM_CREATION: withDefault(
    'true lets everybody who is signed in create further teams with POST /v1/teams; otherwise operators do, with the command bootstrap.',
    'false',
    flag(),
  ),
};
