import { secretKind } from '../tokens/secret-kind';

/** What a password is reset with. */
export const resetToken = secretKind('ssp_');
