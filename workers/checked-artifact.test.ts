import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CheckedArtifact } from './checked-artifact';

const content = Buffer.from('a trace of some length');
const sha256 = createHash('sha256').update(content).digest('hex');
const artifact = {
  id: 'i',
  name: 'a.json',
  objectKey: 'k',
  sizeBytes: content.length,
  sha256,
  wasVerified: false,
};
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

  const readers: [string, (source: CheckedArtifact) => Promise<unknown>][] = [
    ['leaves early', (source) => read(source.bytes(), 1)],
    ['forgets its iteration', (source) => source.bytes().next()],
    ['gives up before it began', (source) => source.bytes().return()],
    ['reads to the end', (source) => read(source.bytes())],
    ['never comes', async () => undefined],
  ];
  it.each(readers)('is compared as a whole when its reader %s', async (_how, reader) => {
    const right = new CheckedArtifact(artifact, async () => pieces());
    await reader(right);
    await right.finishCheck();
    expect(right).toMatchObject({ checked: true, mismatch: undefined });
    const wrong = new CheckedArtifact({ ...artifact, sha256: 'f'.repeat(64) }, async () => pieces());
    await reader(wrong);
    await wrong.finishCheck();
    expect(wrong).toMatchObject({
      checked: true,
      mismatch: expect.stringContaining('f'.repeat(64)) as string,
    });
  });

  it('is not checked while bytes are left', async () => {
    const checked = new CheckedArtifact({ ...artifact, sha256: 'f'.repeat(64) }, async () => pieces());
    await read(checked.bytes(), 1);
    expect(checked).toMatchObject({ checked: false, mismatch: undefined });
  });

  it('tells a wrong size from a wrong hash', async () => {
    const short = new CheckedArtifact({ ...artifact, sizeBytes: 3 }, async () => pieces());
    await read(short.bytes());
    expect(short.mismatch).toContain(`${content.length} bytes are stored, 3 were declared`);
  });

  it.each([
    [false, 'changed while it was uploaded', 'damaged'],
    [true, 'damaged', 'changed while it was uploaded'],
  ])('tells an upload that was wrong from a copy that went bad: %s', async (wasVerified, said, unsaid) => {
    const wrong = { ...artifact, sha256: 'f'.repeat(64), wasVerified };
    for (const declared of [wrong, { ...wrong, sizeBytes: 3 }]) {
      const checked = new CheckedArtifact(declared, async () => pieces());
      await read(checked.bytes());
      expect(checked.mismatch).toContain(said);
      expect(checked.mismatch).not.toContain(unsaid);
    }
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
    await expect(checked.finishCheck()).rejects.toThrow('connection lost');
    expect(checked).toMatchObject({ checked: false, mismatch: undefined });
  });
});
