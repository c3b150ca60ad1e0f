import { TEST_LIMITS } from '../../../test/builders/kineto-trace';
import { ByteSourceErrorCode } from '../timeline/input-refused';
import { ProblemLog } from '../timeline/problem';
import { readLines } from './read-lines';

async function linesOf(chunks: readonly Uint8Array[], failure?: Error) {
  const problems = new ProblemLog();
  const lines: string[] = [];
  async function* source() {
    yield* chunks;
    if (failure) throw failure;
  }
  for await (const line of readLines(source(), { path: 'a.log', problems, limits: TEST_LIMITS }))
    lines.push(line);
  return { lines, problems };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('readLines', () => {
  it('gives the same lines however the bytes are cut', async () => {
    const text = 'one\r\ntwö ▌\rthree\n\nlast';
    const { lines } = await linesOf([bytes(text)]);
    expect(lines).toEqual(['one', 'twö ▌', 'three', '', 'last']);
    const single = [...bytes(text)].map((byte) => Uint8Array.of(byte));
    expect((await linesOf(single)).lines.filter((line) => line !== '')).toEqual(
      lines.filter((line) => line !== ''),
    );
  });

  it('skips a line without end and goes on after it', async () => {
    const long = Array.from({ length: 400 }, () => bytes('x'.repeat(1000)));
    const { lines, problems } = await linesOf([bytes('a\n'), ...long, bytes('\nb\n')]);
    expect(lines).toEqual(['a', 'b']);
    expect(problems.count('oversized-event')).toBe(1);
  });

  it('counts invalid UTF-8 and a source that ends early, and keeps what came before', async () => {
    const cut = Object.assign(new Error('cut'), { code: ByteSourceErrorCode.truncated });
    const { lines, problems } = await linesOf([Uint8Array.of(0x61, 0xff, 0x0a, 0x62)], cut);
    expect(lines).toEqual(['a\ufffd', 'b']);
    expect(problems.count('invalid-text')).toBe(1);
    expect(problems.count('truncated-file')).toBe(1);
  });

  it('lets other failures of the source through', async () => {
    await expect(linesOf([bytes('a')], new Error('gone'))).rejects.toThrow('gone');
  });
});
