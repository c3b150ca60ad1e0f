import { queryInteger, queryValue } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { compareKeys } from '../store/stored-object';
import { type Upload } from '../store/uploads';
import { type Call, isoTime, sendXml } from './call';
import { nameEncoding } from './list-objects';

const MAX_LISTED = 1000;

/** Uploads behind the markers: a key alone excludes all its uploads, with an upload id only those up to it. */
function uploadsAfter(uploads: readonly Upload[], keyMarker: string, idMarker: string): Upload[] {
  const marked = uploads.findIndex(({ key, id }) => key === keyMarker && id === idMarker);
  if (marked !== -1) return uploads.slice(marked + 1);
  return uploads.filter(({ key }) => keyMarker === '' || compareKeys(key, keyMarker) > 0);
}

/** ListMultipartUploads: prefix and markers; grouping by delimiter is not implemented. */
export async function listMultipartUploads(call: Call): Promise<void> {
  const { request } = call;
  const bucket = call.registry.get(request.bucket);
  if (queryValue(request, 'delimiter'))
    throw new S3Error('NotImplemented', 'delimiter is not supported here.');
  const prefix = queryValue(request, 'prefix') ?? '';
  const keyMarker = queryValue(request, 'key-marker') ?? '';
  const idMarker = queryValue(request, 'upload-id-marker') ?? '';
  const maxUploads = Math.min(queryInteger(request, 'max-uploads', MAX_LISTED, 0, 2 ** 31 - 1), MAX_LISTED);
  const { encode, type } = nameEncoding(call);
  const matching = bucket.uploads.list().filter(({ key }) => key.startsWith(prefix));
  const rest = uploadsAfter(matching, keyMarker, idMarker);
  const page = rest.slice(0, maxUploads);
  const last = page[page.length - 1];
  const truncated = page.length < rest.length;
  sendXml(call, 'ListMultipartUploadsResult', [
    ['Bucket', bucket.name],
    ['KeyMarker', encode(keyMarker)],
    ['UploadIdMarker', idMarker],
    truncated && last ? ['NextKeyMarker', encode(last.key)] : undefined,
    truncated && last ? ['NextUploadIdMarker', last.id] : undefined,
    ['Prefix', encode(prefix)],
    type ? ['EncodingType', type] : undefined,
    ['MaxUploads', maxUploads],
    ['IsTruncated', truncated],
    ...page.map(
      ({ key, id, initiatedMs }) =>
        [
          'Upload',
          [
            ['Key', encode(key)],
            ['UploadId', id],
            ['StorageClass', 'STANDARD'],
            ['Initiated', isoTime(initiatedMs)],
          ],
        ] as const,
    ),
  ]);
}
