export { type ListedObject } from './list-objects';
export { type PartTag, type StoredPart } from './multipart-upload';
export { type ReadRange } from './object-reader';
export {
  ObjectNotFound,
  ObjectStoreError,
  type ObjectStoreErrorCode,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
  ObjectTooLarge,
  PartsRefused,
  UploadNotFound,
} from './object-store-error';
export { type ObjectStoreOptions } from './object-store-options';
export { type ObjectHead, ObjectStore } from './object-store';
export { attachmentDisposition } from './presign';
export { type WriteOptions, type WrittenObject } from './object-writer';
