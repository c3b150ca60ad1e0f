import { GetObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type S3Connection } from './s3-connection';
import { translated } from './translate-error';

// Limits of S3: presigned URLs of signature version 4, part numbers, bytes of one part.
const MAX_EXPIRES_S = 7 * 86_400;
const MAX_PART_NUMBER = 10_000;
const MAX_PART_BYTES = 5 * 2 ** 30;
// File systems take 255 bytes; what is longer only makes the URL long.
const MAX_FILE_NAME_CHARS = 200;

function checkInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not ${value}`);
  }
}

export interface PartUrlRequest {
  uploadId: string;
  partNumber: number;
  contentLength: number;
  expiresInS: number;
}

/** A URL for one part; the length is signed, so that a client cannot upload more than it announced. */
export async function presignPart(
  { signer, bucket }: S3Connection,
  key: string,
  part: PartUrlRequest,
): Promise<string> {
  checkInteger('partNumber', part.partNumber, 1, MAX_PART_NUMBER);
  checkInteger('contentLength', part.contentLength, 0, MAX_PART_BYTES);
  checkInteger('expiresInS', part.expiresInS, 1, MAX_EXPIRES_S);
  const command = new UploadPartCommand({
    Bucket: bucket,
    Key: key,
    UploadId: part.uploadId,
    PartNumber: part.partNumber,
    ContentLength: part.contentLength,
  });
  return translated('signing an upload URL', key, () =>
    getSignedUrl(signer, command, { expiresIn: part.expiresInS }),
  );
}

/** RFC 6266: an ASCII name for old clients, the exact one in UTF-8 (RFC 8187) for the others. */
export function attachmentDisposition(fileName: string): string {
  // eslint-disable-next-line no-control-regex
  const clean = [...fileName.replace(/[\u0000-\u001f\u007f/\\]|\p{Surrogate}/gu, '_')]
    .slice(0, MAX_FILE_NAME_CHARS)
    .join('');
  const ascii = clean.replace(/[^\u0020-\u007e]/g, '_').replace(/["%;]/g, '_');
  const utf8 = encodeURIComponent(clean).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

/** A URL that downloads the object as a file; the type is forced, so that a browser never renders uploaded bytes. */
export async function presignGet(
  { signer, bucket }: S3Connection,
  key: string,
  fileName: string,
  expiresInS: number,
): Promise<string> {
  checkInteger('expiresInS', expiresInS, 1, MAX_EXPIRES_S);
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ResponseContentDisposition: attachmentDisposition(fileName),
    ResponseContentType: 'application/octet-stream',
  });
  return translated('signing a download URL', key, () =>
    getSignedUrl(signer, command, { expiresIn: expiresInS }),
  );
}
