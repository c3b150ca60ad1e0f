import { ProblemError } from '../../../platform/errors';
import { toOidcProblem } from './oidc-errors';

/** An error as the OpenID library throws them. */
const libraryError = (name: string, fields: object = {}) =>
  Object.assign(new Error('a message'), { name, ...fields });

describe('toOidcProblem', () => {
  it.each([
    [new TypeError('fetch failed'), 'oidc-unavailable'],
    [libraryError('ClientError', { code: 'OAUTH_TIMEOUT' }), 'oidc-unavailable'],
    [libraryError('ClientError', { cause: new Response(null, { status: 502 }) }), 'oidc-unavailable'],
    [libraryError('ResponseBodyError', { status: 503, error: 'server_error' }), 'oidc-unavailable'],
    [libraryError('ResponseBodyError', { status: 429, error: 'slow_down' }), 'oidc-unavailable'],
    [libraryError('ResponseBodyError', { status: 400, error: 'invalid_grant' }), 'oidc-answer-invalid'],
    [libraryError('ClientError', { cause: new Response(null, { status: 404 }) }), 'oidc-answer-invalid'],
    [libraryError('ClientError', { code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' }), 'oidc-answer-invalid'],
    [libraryError('AuthorizationResponseError', { error: 'access_denied' }), 'oidc-refused'],
  ])('takes %s for %s', (error, code) => {
    expect(toOidcProblem(error).code).toBe(code);
  });

  it('repeats no text of strangers but plain error names', () => {
    const refused = (error: string) =>
      toOidcProblem(libraryError('AuthorizationResponseError', { error })).detail;
    expect(refused('access_denied')).toContain('access_denied');
    expect(refused('Click <a href=//evil.test>here</a>')).not.toContain('evil');
  });

  it('keeps claims and answers out of the log, and problems as they are', () => {
    const claims = { nonce: 'secret', email: 'ada@example.test' };
    const { cause } = toOidcProblem(libraryError('ClientError', { cause: { claims } }));
    expect(JSON.stringify({ ...(cause as Error) }) + String((cause as Error).stack)).not.toMatch(
      /secret|ada/,
    );
    const problem = new ProblemError('oidc-not-configured', 'No.');
    expect(toOidcProblem(problem)).toBe(problem);
  });
});
