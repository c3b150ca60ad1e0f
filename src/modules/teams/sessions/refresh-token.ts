import { secretKind } from '../tokens/secret-kind';

/** What a session is renewed with. */
export const refreshTokenKind = secretKind('ssr_');
