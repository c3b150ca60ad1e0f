import { checkKey, queryValue, type S3Request } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  getBucketVersioning,
  headBucket,
  listBuckets,
} from './buckets';
import { type Operation } from './call';
import { completeMultipartUpload } from './complete-upload';
import { deleteObjects } from './delete-objects';
import { listObjects } from './list-objects';
import { listMultipartUploads } from './list-uploads';
import { abortMultipartUpload, createMultipartUpload, listParts, uploadPart } from './multipart';
import { getObject, headObject } from './read-object';
import { copyObject, deleteObject, putObject } from './write-object';

// Sub-resources of S3 that this server does not have; ignoring one would do something else than was asked.
const UNSUPPORTED = new Set(
  (
    'accelerate acl analytics attributes cors encryption intelligent-tiering inventory legal-hold lifecycle logging ' +
    'metrics notification object-lock ownershipControls partNumber policy policyStatus publicAccessBlock replication ' +
    'requestPayment restore retention select tagging torrent versionId versioning versions website'
  ).split(' '),
);

function bucketOperation(request: S3Request, has: (name: string) => boolean): Operation | undefined {
  switch (request.method) {
    case 'GET':
      if (has('location')) return getBucketLocation;
      if (has('versioning')) return getBucketVersioning;
      return has('uploads') ? listMultipartUploads : listObjects;
    case 'HEAD':
      return headBucket;
    case 'PUT':
      return createBucket;
    case 'DELETE':
      return deleteBucket;
    case 'POST':
      return has('delete') ? deleteObjects : undefined;
    default:
      return undefined;
  }
}

function objectOperation(request: S3Request, has: (name: string) => boolean): Operation | undefined {
  switch (request.method) {
    case 'GET':
      return has('uploadId') ? listParts : getObject;
    case 'HEAD':
      return headObject;
    case 'PUT':
      if (has('uploadId')) return uploadPart;
      return request.headers.has('x-amz-copy-source') ? copyObject : putObject;
    case 'DELETE':
      return has('uploadId') ? abortMultipartUpload : deleteObject;
    case 'POST':
      if (has('uploads')) return createMultipartUpload;
      return has('uploadId') ? completeMultipartUpload : undefined;
    default:
      return undefined;
  }
}

/** The operation that a request asks for. */
export function routeRequest(request: S3Request): Operation {
  const has = (name: string) => queryValue(request, name) !== undefined;
  const isKnown = (name: string) =>
    (name === 'partNumber' && request.method === 'PUT' && has('uploadId')) ||
    (name === 'versioning' && request.method === 'GET' && request.key === '');
  const unsupported = request.query.find(([name]) => UNSUPPORTED.has(name) && !isKnown(name));
  if (unsupported)
    throw new S3Error('NotImplemented', `The sub-resource "${unsupported[0]}" is not implemented here.`);
  if (request.bucket === '') {
    if (request.method === 'GET' && request.key === '') return listBuckets;
    throw new S3Error('MethodNotAllowed');
  }
  checkKey(request.key);
  const operation = request.key === '' ? bucketOperation(request, has) : objectOperation(request, has);
  if (!operation) throw new S3Error('MethodNotAllowed');
  return operation;
}
