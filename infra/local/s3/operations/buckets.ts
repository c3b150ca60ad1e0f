import { receiveText } from '../payload/receive-body';
import { type Call, isoTime, sendEmpty, sendXml } from './call';

const MAX_XML_BYTES = 64 * 1024;

export async function listBuckets(call: Call): Promise<void> {
  const buckets = call.registry.list().map(
    (bucket) =>
      [
        'Bucket',
        [
          ['Name', bucket.name],
          ['CreationDate', isoTime(bucket.createdMs)],
        ],
      ] as const,
  );
  sendXml(call, 'ListAllMyBucketsResult', [
    ['Owner', [['ID', 'local']]],
    ['Buckets', buckets],
  ]);
}

/** CreateBucket. The body may name a region; every region is the same here, so it is verified and dropped. */
export async function createBucket(call: Call): Promise<void> {
  const { request, auth, openBody } = call;
  if (request.headers.get('content-length') ?? request.headers.get('transfer-encoding')) {
    await receiveText(request, openBody, auth, MAX_XML_BYTES);
  }
  await call.registry.create(request.bucket, call.nowMs);
  sendEmpty(call, 200, { location: `/${request.bucket}` });
}

export async function headBucket(call: Call): Promise<void> {
  call.registry.get(call.request.bucket);
  sendEmpty(call, 200, { 'x-amz-bucket-region': 'us-east-1' });
}

/** GetBucketLocation; empty text is S3's way to write us-east-1. */
export async function getBucketLocation(call: Call): Promise<void> {
  call.registry.get(call.request.bucket);
  sendXml(call, 'LocationConstraint', '');
}

/** GetBucketVersioning; an empty answer is S3's way to say that there never were versions. */
export async function getBucketVersioning(call: Call): Promise<void> {
  call.registry.get(call.request.bucket);
  sendXml(call, 'VersioningConfiguration', []);
}

export async function deleteBucket(call: Call): Promise<void> {
  call.registry.get(call.request.bucket);
  await call.registry.delete(call.request.bucket);
  sendEmpty(call, 204);
}
