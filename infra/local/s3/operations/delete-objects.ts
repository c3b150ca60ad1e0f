import { checkKey } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { childText, parseXml } from '../http/xml-read';
import { type XmlContent } from '../http/xml-write';
import { declaredChecksum } from '../payload/checksums';
import { receiveText } from '../payload/receive-body';
import { type Call, sendXml } from './call';

const MAX_KEYS = 1000;
// 1,000 keys of 1,024 bytes, each byte perhaps written as a character reference.
const MAX_XML_BYTES = 8 * 1024 ** 2;

/** DeleteObjects. As in S3 the body must come with Content-MD5 or a checksum. */
export async function deleteObjects(call: Call): Promise<void> {
  const { request, auth, openBody } = call;
  const bucket = call.registry.get(request.bucket);
  if (!request.headers.has('content-md5') && !declaredChecksum(request.headers)) {
    throw new S3Error(
      'InvalidRequest',
      'Missing required header for this request: Content-MD5 or a checksum.',
    );
  }
  const document = parseXml(await receiveText(request, openBody, auth, MAX_XML_BYTES));
  const keys = document.children
    .filter(({ name }) => name === 'Object')
    .map((item) => childText(item, 'Key'));
  if (document.name !== 'Delete' || keys.length === 0 || keys.length > MAX_KEYS)
    throw new S3Error('MalformedXML');
  const quiet = childText(document, 'Quiet') === 'true';
  const results: [string, XmlContent][] = [];
  for (const key of keys) {
    if (key === undefined || key === '') throw new S3Error('MalformedXML');
    checkKey(key);
  }
  for (const key of keys as string[]) {
    await bucket.delete(key);
    if (!quiet) results.push(['Deleted', [['Key', key]]]);
  }
  sendXml(call, 'DeleteResult', results);
}
