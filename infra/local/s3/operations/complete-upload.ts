import { createHash } from 'node:crypto';
import { S3Error } from '../http/s3-error';
import { childText, parseXml, type XmlElement } from '../http/xml-read';
import { checksumElement } from '../payload/checksums';
import { receiveText } from '../payload/receive-body';
import { type Part } from '../store/uploads';
import { type Call, quoted, sendXml } from './call';
import { checkWriteConditions } from './conditions';
import { MAX_PART_NUMBER, uploadIdOf } from './multipart';
import { modifiedNow } from './write-object';

/** Every part but the last has at least this size, as in S3. */
const MIN_PART_BYTES = 5 * 1024 ** 2;
const MAX_XML_BYTES = 8 * 1024 ** 2;

function findPart(element: XmlElement, parts: ReadonlyMap<number, Part>): Part {
  const numberText = childText(element, 'PartNumber')?.trim() ?? '';
  const etag = childText(element, 'ETag')
    ?.trim()
    .replace(/^"(.*)"$/, '$1');
  if (!/^\d{1,5}$/.test(numberText) || etag === undefined) throw new S3Error('MalformedXML');
  const part = parts.get(Number(numberText));
  if (!part || part.etag !== etag) throw new S3Error('InvalidPart');
  const claimed = part.checksum && childText(element, checksumElement(part.checksum.algorithm));
  if (claimed !== undefined && claimed.trim() !== part.checksum?.value) throw new S3Error('InvalidPart');
  return part;
}

/** The parts that a CompleteMultipartUpload document names, checked for order, existence, tag and size. */
function chosenParts(document: XmlElement, uploaded: readonly Part[]): Part[] {
  const elements = document.children.filter(({ name }) => name === 'Part');
  if (
    document.name !== 'CompleteMultipartUpload' ||
    elements.length === 0 ||
    elements.length > MAX_PART_NUMBER
  ) {
    throw new S3Error('MalformedXML');
  }
  const byNumber = new Map(uploaded.map((part) => [part.number, part]));
  const numbers = elements.map((element) => Number(childText(element, 'PartNumber')));
  if (numbers.some((number, i) => i > 0 && number <= numbers[i - 1])) throw new S3Error('InvalidPartOrder');
  const parts = elements.map((element) => findPart(element, byNumber));
  if (parts.slice(0, -1).some((part) => part.segment.sizeBytes < MIN_PART_BYTES))
    throw new S3Error('EntityTooSmall');
  return parts;
}

/** S3's tag of a multipart object: MD5 of the parts' MD5s, and their count. */
function multipartEtag(parts: readonly Part[]): string {
  const md5 = createHash('md5');
  for (const part of parts) md5.update(Buffer.from(part.etag, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

/** CompleteMultipartUpload: the object takes the parts' files over, so the cost does not depend on the size. */
export async function completeMultipartUpload(call: Call): Promise<void> {
  const { request, auth, openBody } = call;
  const bucket = call.registry.get(request.bucket);
  const id = uploadIdOf(call);
  bucket.uploads.get(id, request.key);
  const document = parseXml(await receiveText(request, openBody, auth, MAX_XML_BYTES));
  const { upload, parts: uploaded } = bucket.uploads.get(id, request.key);
  const parts = chosenParts(document, uploaded);
  const etag = multipartEtag(parts);
  const claim = bucket.uploads.claim(id, request.key);
  try {
    await bucket.replace(
      {
        key: upload.key,
        sizeBytes: parts.reduce((sum, part) => sum + part.segment.sizeBytes, 0),
        etag,
        lastModifiedMs: modifiedNow(call),
        headers: upload.headers,
        segments: parts.map((part) => part.segment),
      },
      (before) => checkWriteConditions(request.headers, before),
    );
  } catch (error) {
    claim.restore();
    throw error;
  }
  const unused = uploaded.filter((part) => !parts.includes(part)).map((part) => part.segment);
  await bucket.uploads.discard(id, unused);
  sendXml(call, 'CompleteMultipartUploadResult', [
    ['Location', `/${bucket.name}/${upload.key}`],
    ['Bucket', bucket.name],
    ['Key', upload.key],
    ['ETag', quoted(etag)],
  ]);
}
