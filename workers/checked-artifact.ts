import { createHash } from 'node:crypto';
import { type Readable } from 'node:stream';
import { type AnalysisArtifact } from '../src/modules/ingestion';

/** An artifact's stored bytes, hashed while they are read. */
export class CheckedArtifact {
  /** Why the bytes are not the declared ones; undefined while they are, or are not known. */
  mismatch: string | undefined;

  constructor(
    readonly artifact: AnalysisArtifact,
    private readonly open: () => Promise<Readable>,
  ) {}

  /**
   * The stored bytes. A reader that has seen enough may leave: the rest is read all the same, so that the hash covers
   * the whole object. Errors of the store go to the reader.
   */
  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const chunks = (await this.open())[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const next = async () => {
      const result = await chunks.next();
      if (result.done) return undefined;
      hash.update(result.value);
      sizeBytes += result.value.byteLength;
      return result.value;
    };
    let failed = false;
    try {
      for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      if (!failed) {
        while (await next());
        this.mismatch = this.compare(sizeBytes, hash.digest('hex'));
      }
    }
  }

  private compare(sizeBytes: number, sha256: string): string | undefined {
    const { name, ...declared } = this.artifact;
    if (sizeBytes !== declared.sizeBytes) {
      return `${name}: ${sizeBytes} bytes are stored, ${declared.sizeBytes} were declared. Upload the run again.`;
    }
    if (sha256 !== declared.sha256) {
      return (
        `${name}: the uploaded bytes have SHA-256 ${sha256}, but ${declared.sha256} was declared. The file changed ` +
        'while it was uploaded, or the checksum was made of another file. Upload the run again.'
      );
    }
    return undefined;
  }
}
