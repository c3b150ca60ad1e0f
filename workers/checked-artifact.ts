import { createHash } from 'node:crypto';
import { type Readable } from 'node:stream';
import { type AnalysisArtifact } from '../src/modules/ingestion';

const DAMAGED =
  'An earlier analysis found them right: the copy that your team has in the object store was damaged since.';
const NEVER_RIGHT = 'The file changed while it was uploaded, or was declared as another one.';

/** An artifact's stored bytes, hashed while they are read. */
export class CheckedArtifact {
  /** Why the bytes are not the declared ones; undefined while they are, or are not known. */
  mismatch: string | undefined;
  /** Whether all stored bytes were compared with what was declared. */
  checked = false;

  private readonly hash = createHash('sha256');
  private sizeBytes = 0;
  private chunks: AsyncIterator<Buffer> | undefined;
  private failure: { error: unknown } | undefined;

  constructor(
    readonly artifact: AnalysisArtifact,
    private readonly open: () => Promise<Readable>,
  ) {}

  /** The stored bytes, once. Errors of the store go to the reader. A reader may leave early: see `finishCheck`. */
  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let chunk = await this.next(); chunk; chunk = await this.next()) yield chunk;
  }

  /**
   * Reads what no reader wanted, so that the hash covers the whole object. Whether a reader has come to the end, left
   * early, forgot its iteration or never began makes no difference. Throws what the store throws.
   */
  async finishCheck(): Promise<void> {
    while (await this.next());
  }

  private async next(): Promise<Buffer | undefined> {
    if (this.checked) return undefined;
    // An iteration that failed says that it is done when it is asked again; the bytes are not known then.
    if (this.failure) throw this.failure.error;
    try {
      this.chunks ??= (await this.open())[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      const result = await this.chunks.next();
      if (!result.done) {
        this.hash.update(result.value);
        this.sizeBytes += result.value.byteLength;
        return result.value;
      }
    } catch (error) {
      this.failure = { error };
      throw error;
    }
    this.checked = true;
    this.mismatch = this.compare(this.sizeBytes, this.hash.digest('hex'));
    return undefined;
  }

  private compare(sizeBytes: number, sha256: string): string | undefined {
    const { name, wasVerified, ...declared } = this.artifact;
    const isSameSize = sizeBytes === declared.sizeBytes;
    if (isSameSize && sha256 === declared.sha256) return undefined;
    const facts = isSameSize
      ? `the stored bytes have SHA-256 ${sha256}, but ${declared.sha256} was declared`
      : `${sizeBytes} bytes are stored, ${declared.sizeBytes} were declared`;
    return `${name}: ${facts}. ${wasVerified ? DAMAGED : NEVER_RIGHT} Upload the file again.`;
  }
}
