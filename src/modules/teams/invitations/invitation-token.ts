import { secretKind } from '../tokens/secret-kind';

/** What an invitation is accepted with. */
export const invitationToken = secretKind('ssi_');
