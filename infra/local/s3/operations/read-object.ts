import { pipeline } from 'node:stream/promises';
import { S3Error } from '../http/s3-error';
import { type Bucket } from '../store/bucket';
import { type StoredObject } from '../store/stored-object';
import { parseByteRange } from './byte-range';
import { type Call } from './call';
import { checkReadConditions } from './conditions';
import { readHeaders } from './object-headers';

function findObject(call: Call): { bucket: Bucket; object: StoredObject } {
  const bucket = call.registry.get(call.request.bucket);
  const object = bucket.find(call.request.key);
  if (!object) throw new S3Error('NoSuchKey');
  return { bucket, object };
}

/** Status, headers and range that GetObject and HeadObject have in common. */
function answerFor(call: Call, object: StoredObject) {
  checkReadConditions(call.request.headers, object);
  const range = parseByteRange(call.request.headers.get('range'), object.sizeBytes);
  const { start, end } = range ?? { start: 0, end: object.sizeBytes };
  const headers = readHeaders(call.request, object);
  headers['content-length'] = String(end - start);
  if (range) {
    headers['content-range'] = `bytes ${start}-${end - 1}/${object.sizeBytes}`;
    // A checksum of the whole object says nothing about a part of it.
    for (const name of Object.keys(headers)) if (name.startsWith('x-amz-checksum-')) delete headers[name];
  }
  return { status: range ? 206 : 200, headers, start, end };
}

export async function headObject(call: Call): Promise<void> {
  const { object } = findObject(call);
  const { status, headers } = answerFor(call, object);
  call.response.writeHead(status, headers);
  call.response.end();
}

export async function getObject(call: Call): Promise<void> {
  const { bucket, object } = findObject(call);
  const { status, headers, start, end } = answerFor(call, object);
  const retained = bucket.segments.retain(object.segments);
  try {
    call.response.writeHead(status, headers);
    await pipeline(bucket.segments.read(object.segments, start, end), call.response);
  } finally {
    await retained.release();
  }
}
