import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CheckedArtifact } from './checked-artifact';

const content = Buffer.from('a trace of some length');
const sha256 = createHash('sha256').update(content).digest('hex');
const artifact = { id: 'i', name: 'a.json', objectKey: 'k', sizeBytes: content.length, sha256 };
const pieces = () => Readable.from([content.subarray(0, 5), content.subarray(5, 9), content.subarray(9)]);

async function read(source: AsyncIterable<Uint8Array>, maxPieces = Infinity): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of source) {
    read.push(piece);
    if (read.length >= maxPieces) break;
  }
  return Buffer.concat(read);
}

describe('a checked artifact', () => {
  it('gives the bytes, and finds nothing wrong with the declared ones', async () => {
    const checked = new CheckedArtifact(artifact, async () => pieces());
    expect(await read(checked.bytes())).toEqual(content);
    expect(checked.mismatch).toBeUndefined();
  });

  it('covers the whole object, also for a reader that leaves early', async () => {
    const right = new CheckedArtifact(artifact, async () => pieces());
    await read(right.bytes(), 1);
    expect(right.mismatch).toBeUndefined();
    const wrong = new CheckedArtifact({ ...artifact, sha256: 'f'.repeat(64) }, async () => pieces());
    await read(wrong.bytes(), 1);
    expect(wrong.mismatch).toContain('f'.repeat(64));
  });

  it('tells a wrong size from a wrong hash', async () => {
    const short = new CheckedArtifact({ ...artifact, sizeBytes: 3 }, async () => pieces());
    await read(short.bytes());
    expect(short.mismatch).toContain(`${content.length} bytes are stored, 3 were declared`);
  });

  it('blames nobody when the store fails', async () => {
    const failing = async () =>
      Readable.from(
        (async function* () {
          yield content.subarray(0, 5);
          throw new Error('connection lost');
        })(),
      );
    const checked = new CheckedArtifact(artifact, failing);
    await expect(read(checked.bytes())).rejects.toThrow('connection lost');
    expect(checked.mismatch).toBeUndefined();
  });
});
