/** Codes of object store failures; stable. */
export type ObjectStoreErrorCode =
  | 'OBJECT_STORE_UNAVAILABLE'
  | 'OBJECT_STORE_REFUSED'
  | 'OBJECT_NOT_FOUND'
  | 'OBJECT_TOO_LARGE'
  | 'OBJECT_CHANGED'
  | 'OBJECT_KEY_INVALID'
  | 'OBJECT_RANGE_INVALID'
  | 'UPLOAD_NOT_FOUND'
  | 'PARTS_REFUSED';

/** A failure of the object store or of a call to it. `message` is one line: what, why, what to do. */
export class ObjectStoreError extends Error {
  constructor(
    readonly code: ObjectStoreErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }

  /** True when the same call may succeed later without any change. */
  get retryable(): boolean {
    return false;
  }
}

/** The store cannot be reached, is overloaded or failed on its side: try again later. */
export class ObjectStoreUnavailable extends ObjectStoreError {
  constructor(doing: string, reason: string, cause?: unknown) {
    super(
      'OBJECT_STORE_UNAVAILABLE',
      `The object store did not answer while ${doing}: ${reason}. Try again later; if it lasts, check that it runs and can be reached.`,
      { cause },
    );
  }

  override get retryable(): boolean {
    return true;
  }
}

/** The store answered and said no: wrong keys, rights, bucket or region. Trying again changes nothing. */
export class ObjectStoreRefused extends ObjectStoreError {
  constructor(doing: string, reason: string, cause?: unknown) {
    super(
      'OBJECT_STORE_REFUSED',
      `The object store refused ${doing}: ${reason}. Check bucket, region, keys and rights in the configuration.`,
      { cause },
    );
  }
}

export class ObjectNotFound extends ObjectStoreError {
  constructor(key: string, cause?: unknown) {
    super('OBJECT_NOT_FOUND', `There is no object ${JSON.stringify(key)} in the object store.`, { cause });
  }
}

/** A streaming write met its byte limit; nothing of it was kept. */
export class ObjectTooLarge extends ObjectStoreError {
  constructor(readonly maxBytes: number) {
    super(
      'OBJECT_TOO_LARGE',
      `The upload is larger than the limit of ${maxBytes} bytes; nothing of it was kept.`,
    );
  }
}

/** The multipart upload is unknown: aborted, expired, or completed before. */
export class UploadNotFound extends ObjectStoreError {
  constructor(key: string, cause?: unknown) {
    super(
      'UPLOAD_NOT_FOUND',
      `The upload of ${JSON.stringify(key)} does not exist any more: it was completed, aborted or has expired. Start a new one.`,
      { cause },
    );
  }
}

/** The parts of an upload do not make an object. */
export class PartsRefused extends ObjectStoreError {
  constructor(reason: string, cause?: unknown) {
    super(
      'PARTS_REFUSED',
      `The parts do not make an object: ${reason}. Upload the parts named again, then complete.`,
      {
        cause,
      },
    );
  }
}
