import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from '@aws-sdk/lib-storage';
import { ObjectTooLarge } from './object-store-error';
import { type S3Connection } from './s3-connection';
import { translated } from './translate-error';

export interface WriteOptions {
  /** Largest object; one byte more and the write fails and leaves nothing. */
  maxBytes: number;
  contentType?: string;
  /** Ends the write early; its reason is thrown. */
  signal?: AbortSignal;
}

/** What was written. */
export interface WrittenObject {
  sizeBytes: number;
  sha256Hex: string;
}

const MIN_PART_BYTES = 8 * 2 ** 20;
const MAX_PARTS = 10_000;
// Memory of one write: this many parts on their way, and one being filled.
const PARTS_AT_A_TIME = 2;

/** The next piece; a source that is silent does not hold an abort up. */
function nextUnlessAborted(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Uint8Array>> {
  if (!signal) return iterator.next();
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The source with its bytes counted and hashed. It remembers why it failed: the uploader may report something later. */
class MeteredSource {
  sizeBytes = 0;
  failure: { error: unknown } | undefined;
  private readonly sha256 = createHash('sha256');

  constructor(
    private readonly source: AsyncIterable<Uint8Array>,
    private readonly options: WriteOptions,
  ) {}

  private async *pieces(): AsyncGenerator<Uint8Array> {
    const { source, options } = this;
    // The stream of an HTTP request is left open: destroying it would take the answer with it.
    const pieces = source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source;
    const iterator = (pieces as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    let ended = false;
    try {
      for (;;) {
        const next = await nextUnlessAborted(iterator, options.signal);
        ended = next.done === true;
        if (next.done) return;
        this.sizeBytes += next.value.byteLength;
        if (this.sizeBytes > options.maxBytes) throw new ObjectTooLarge(options.maxBytes);
        this.sha256.update(next.value);
        yield next.value;
      }
    } finally {
      // Not awaited: a source that is silent answers only when its next piece comes.
      if (!ended) iterator.return?.().catch(() => undefined);
    }
  }

  async *read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.pieces();
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  sha256Hex(): string {
    return this.sha256.digest('hex');
  }
}

/** Streams an object of unknown length into the store, in parts when it is large. A failed write leaves nothing. */
export async function writeObject(
  { client, bucket }: S3Connection,
  key: string,
  source: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<WrittenObject> {
  const metered = new MeteredSource(source, options);
  const body = Readable.from(metered.read(), { objectMode: false });
  const upload = new Upload({
    client,
    params: {
      Bucket: bucket,
      Key: key,
      Body: body,
      ContentType: options.contentType ?? 'application/octet-stream',
    },
    partSize: Math.max(MIN_PART_BYTES, Math.ceil(options.maxBytes / MAX_PARTS)),
    queueSize: PARTS_AT_A_TIME,
  });
  try {
    await translated(`writing ${JSON.stringify(key)}`, key, () => upload.done());
  } catch (error) {
    throw metered.failure ? metered.failure.error : error;
  } finally {
    body.destroy();
  }
  return { sizeBytes: metered.sizeBytes, sha256Hex: metered.sha256Hex() };
}
