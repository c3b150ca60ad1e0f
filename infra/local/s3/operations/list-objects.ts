import { queryInteger, queryValue } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { type XmlContent } from '../http/xml-write';
import { uriEncode } from '../sigv4/canonical';
import { type Bucket } from '../store/bucket';
import { type ListEntry, listKeys } from '../store/list-keys';
import { type Call, isoTime, quoted, sendXml } from './call';

const MAX_KEYS = 1000;
type Encode = (text: string) => string;

/** `encoding-type=url` lets keys travel that XML cannot hold. */
export function nameEncoding(call: Call): { encode: Encode; type: string | undefined } {
  const type = queryValue(call.request, 'encoding-type') || undefined;
  if (type !== undefined && type !== 'url')
    throw new S3Error('InvalidArgument', 'encoding-type must be url.');
  return { encode: type ? (text) => uriEncode(text).replace(/%2F/g, '/') : (text) => text, type };
}

function encodeToken(entry: ListEntry): string {
  return Buffer.from(JSON.stringify([entry.name, entry.isPrefix])).toString('base64url');
}

function decodeToken(token: string): { after: string; afterIsPrefix: boolean } {
  try {
    const [after, afterIsPrefix] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [
      unknown,
      unknown,
    ];
    if (typeof after === 'string' && typeof afterIsPrefix === 'boolean') return { after, afterIsPrefix };
  } catch {
    // Falls through: the token is not one of ours.
  }
  throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect.');
}

function entryXml(
  bucket: Bucket,
  entry: ListEntry,
  encode: Encode,
): readonly [string, XmlContent] | undefined {
  if (entry.isPrefix) return ['CommonPrefixes', [['Prefix', encode(entry.name)]]];
  const object = bucket.find(entry.name);
  return (
    object && [
      'Contents',
      [
        ['Key', encode(object.key)],
        ['LastModified', isoTime(object.lastModifiedMs)],
        ['ETag', quoted(object.etag)],
        ['Size', object.sizeBytes],
        ['StorageClass', 'STANDARD'],
      ],
    ]
  );
}

/** ListObjectsV2, and ListObjects (version 1) for clients that still use it. */
export async function listObjects(call: Call): Promise<void> {
  const { request } = call;
  const bucket = call.registry.get(request.bucket);
  const isV2 = queryValue(request, 'list-type') === '2';
  const token = isV2 ? queryValue(request, 'continuation-token') : undefined;
  const startAfter = queryValue(request, isV2 ? 'start-after' : 'marker') ?? '';
  const prefix = queryValue(request, 'prefix') ?? '';
  const delimiter = queryValue(request, 'delimiter') ?? '';
  const maxKeys = Math.min(queryInteger(request, 'max-keys', MAX_KEYS, 0, 2 ** 31 - 1), MAX_KEYS);
  const { encode, type } = nameEncoding(call);
  // A version 1 marker that is a common prefix means: go on behind everything under it.
  const markerIsPrefix = !isV2 && delimiter !== '' && startAfter.endsWith(delimiter);
  const from =
    token === undefined ? { after: startAfter, afterIsPrefix: markerIsPrefix } : decodeToken(token);
  const { entries, truncated } = listKeys(bucket.keys(), { prefix, delimiter, maxKeys, ...from });
  const last = entries[entries.length - 1];
  sendXml(call, 'ListBucketResult', [
    ['Name', bucket.name],
    ['Prefix', encode(prefix)],
    ['MaxKeys', maxKeys],
    ['IsTruncated', truncated],
    delimiter === '' ? undefined : ['Delimiter', encode(delimiter)],
    type ? ['EncodingType', type] : undefined,
    isV2 ? ['KeyCount', entries.length] : ['Marker', encode(startAfter)],
    isV2 && token !== undefined ? ['ContinuationToken', token] : undefined,
    isV2 && startAfter !== '' ? ['StartAfter', encode(startAfter)] : undefined,
    isV2 && truncated && last ? ['NextContinuationToken', encodeToken(last)] : undefined,
    !isV2 && truncated && last ? ['NextMarker', encode(last.name)] : undefined,
    ...entries.map((entry) => entryXml(bucket, entry, encode)),
  ]);
}
