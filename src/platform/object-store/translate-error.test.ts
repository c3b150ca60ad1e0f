import { S3ServiceException } from '@aws-sdk/client-s3';
import { ObjectStoreUnavailable, UploadNotFound } from './object-store-error';
import { translateError } from './translate-error';

function answer(name: string, httpStatusCode: number, message = 'Some reason.'): S3ServiceException {
  const $fault = httpStatusCode >= 500 ? 'server' : 'client';
  return new S3ServiceException({ name, message, $fault, $metadata: { httpStatusCode } });
}

const named = (name: string, fields: object = {}) =>
  Object.assign(new Error('Some reason.'), { name, ...fields });

describe('translateError', () => {
  it.each<[string, unknown]>([
    ['an overloaded store', answer('SlowDown', 503)],
    ['throttling', answer('ThrottlingException', 400)],
    ['too many requests', answer('Unknown', 429)],
    ['an internal error', answer('InternalError', 500)],
    ['an internal error inside a 200', answer('InternalError', 200)],
    ['a gateway without a store behind it', answer('Unknown', 502)],
    ['a refused connection', named('Error', { code: 'ECONNREFUSED' })],
    ['a time-out', named('TimeoutError')],
    ['a name that does not resolve', named('Error', { code: 'ENOTFOUND' })],
    [
      'several addresses that all refuse',
      Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:9')]), { code: 'ECONNREFUSED' }),
    ],
  ])('says that trying again may help after %s', (_, error) => {
    const translated = translateError(error, 'reading "a"', 'a');
    expect(translated).toBeInstanceOf(ObjectStoreUnavailable);
    expect(translated).toMatchObject({ retryable: true, cause: error });
    expect(translated.message).toMatch(
      /^The object store did not answer while reading "a": [^\n]+\. Try again later/,
    );
  });

  it.each<[string, unknown, string]>([
    ['OBJECT_STORE_REFUSED', answer('AccessDenied', 403), 'AccessDenied'],
    ['OBJECT_STORE_REFUSED', answer('NoSuchBucket', 404), 'NoSuchBucket'],
    ['OBJECT_STORE_REFUSED', answer('NotImplemented', 501), 'NotImplemented'],
    ['OBJECT_STORE_REFUSED', answer('403', 403, 'UnknownError'), 'status 403'],
    ['OBJECT_STORE_REFUSED', named('CredentialsProviderError'), 'CredentialsProviderError'],
    ['OBJECT_NOT_FOUND', answer('NoSuchKey', 404), '"a"'],
    ['OBJECT_NOT_FOUND', answer('NotFound', 404), '"a"'],
    ['UPLOAD_NOT_FOUND', answer('NoSuchUpload', 404), '"a"'],
    ['PARTS_REFUSED', answer('EntityTooSmall', 400), 'Some reason'],
    ['PARTS_REFUSED', answer('InvalidPartOrder', 400), 'Some reason'],
  ])('gives %s, in one line, for %s', (code, error, said) => {
    const translated = translateError(error, 'reading "a"', 'a');
    expect(translated).toMatchObject({ code, retryable: false, cause: error });
    expect(translated.message).toContain(said);
    expect(translated.message).not.toMatch(/\n|\.\./);
  });

  it('leaves its own errors as they are', () => {
    const error = new UploadNotFound('a');
    expect(translateError(error, 'anything')).toBe(error);
  });
});
