import { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { ObjectStoreError, ObjectStoreUnavailable } from './object-store-error';
import { type S3Connection } from './s3-connection';
import { hasStatus, isTransient, translated, translateError } from './translate-error';

/** Bytes to read; both ends are included, as in HTTP and in `fs.createReadStream`. */
export interface ReadRange {
  start?: number;
  end?: number;
}

// Broken connections in a row without one new byte, after which a read gives up.
const MAX_FRUITLESS_RESUMES = 3;
const RESUME_DELAY_MS = 200;

function checkRange({ start = 0, end = start }: ReadRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`a range must be 0 <= start <= end, not ${start} to ${end}`);
  }
}

function rangeHeader(start: number, end: number | undefined): string | undefined {
  return start === 0 && end === undefined ? undefined : `bytes=${start}-${end ?? ''}`;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One read of one object that survives broken connections: it goes on where it stopped, in the same version. */
class ObjectRead {
  private readonly aborter = new AbortController();
  private body: Readable | undefined;
  private chunks: AsyncIterator<Buffer> | undefined;
  private position: number;
  private endExclusive = 0;
  private etag: string | undefined;
  private fruitlessResumes = 0;

  constructor(
    private readonly connection: S3Connection,
    private readonly key: string,
    private readonly range: ReadRange,
  ) {
    this.position = range.start ?? 0;
  }

  /** Sends the first request, so that a missing object is known before the stream is handed out. */
  async open(): Promise<void> {
    try {
      const answer = await this.request();
      this.etag = answer.ETag;
      this.endExclusive = this.position + (answer.ContentLength ?? 0);
    } catch (error) {
      if (!hasStatus(error, 416)) throw error;
      // Byte 0 is missing only in an empty object; reading its head gives nothing, which is right.
      if (this.position === 0) return;
      const message = `The object ${JSON.stringify(this.key)} ends before byte ${this.position}.`;
      throw new ObjectStoreError('OBJECT_RANGE_INVALID', message, { cause: error });
    }
  }

  private async request(): Promise<GetObjectCommandOutput> {
    const answer = await this.connection.client.send(
      new GetObjectCommand({
        Bucket: this.connection.bucket,
        Key: this.key,
        Range: rangeHeader(this.position, this.range.end),
        IfMatch: this.etag,
      }),
      { abortSignal: this.aborter.signal },
    );
    this.body = answer.Body as Readable;
    this.chunks = this.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    return answer;
  }

  /** The next piece, or `null` at the end. */
  async next(): Promise<Buffer | null> {
    while (this.position < this.endExclusive) {
      try {
        if (!this.chunks) await this.request();
        const next = await this.chunks?.next();
        if (next && !next.done) {
          this.position += next.value.length;
          this.fruitlessResumes = 0;
          return next.value;
        }
        throw new ObjectStoreUnavailable(`reading ${JSON.stringify(this.key)}`, 'the answer ended early');
      } catch (error) {
        await this.prepareResume(error);
      }
    }
    return null;
  }

  private async prepareResume(error: unknown): Promise<void> {
    this.chunks = undefined;
    this.body?.destroy();
    if (hasStatus(error, 412)) {
      const message = `The object ${JSON.stringify(this.key)} was replaced while it was read. Read it again.`;
      throw new ObjectStoreError('OBJECT_CHANGED', message, { cause: error });
    }
    this.fruitlessResumes += 1;
    const canResume = isTransient(error) || error instanceof ObjectStoreUnavailable;
    if (this.aborter.signal.aborted || !canResume || this.fruitlessResumes > MAX_FRUITLESS_RESUMES)
      throw error;
    await pause(RESUME_DELAY_MS * this.fruitlessResumes);
  }

  /** Ends the connection; the rest of the object is not read. */
  stop(): void {
    this.aborter.abort();
    this.body?.destroy();
  }
}

/** Opens an object as a stream of buffers; destroying the stream, or leaving a `for await` early, ends the connection. */
export async function readObject(connection: S3Connection, key: string, range: ReadRange): Promise<Readable> {
  checkRange(range);
  const doing = `reading ${JSON.stringify(key)}`;
  const read = new ObjectRead(connection, key, range);
  await translated(doing, key, () => read.open());
  return new Readable({
    read() {
      read.next().then(
        (chunk) => this.push(chunk),
        (error: unknown) => this.destroy(translateError(error, doing, key)),
      );
    },
    destroy(error, done) {
      read.stop();
      done(error);
    },
  });
}
