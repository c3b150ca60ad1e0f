import { ByteSourceErrorCode, errorCode } from '../timeline/input-refused';
import { type ReadContext } from './artifact-format';

/** Longest line that is given out unless a format asks for longer ones, in UTF-16 units; lines of logs are far shorter. */
const MAX_LINE_CHARS = 1 << 16;

/**
 * The lines of a text, without their ends (`\n`, `\r\n`, or the bare `\r` of progress bars), one at a time. Longer lines
 * than the bound are skipped and counted, invalid UTF-8 becomes U+FFFD, and a source that ends early gives what came before.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { path, problems, limits }: ReadContext,
  maxLineChars = MAX_LINE_CHARS,
): AsyncGenerator<string> {
  const longest = Math.min(maxLineChars, limits.maxEventBytes);
  let unfinished = '';
  let invalid = false;
  for await (const text of decoded(chunks, () => problems.add('truncated-file', path))) {
    invalid ||= text.includes('\ufffd');
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = unfinished + lines[0];
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      if (line.length <= longest) yield line;
      else problems.add('oversized-event', path, 1, line);
    }
    // What is beyond the bound need not be kept to know that the line is too long.
    if (unfinished.length > longest) unfinished = unfinished.slice(0, longest + 1);
  }
  if (unfinished.length > longest) problems.add('oversized-event', path, 1, unfinished);
  else if (unfinished !== '') yield unfinished;
  if (invalid) problems.add('invalid-text', path);
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, onTruncated: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    if (errorCode(error) !== ByteSourceErrorCode.truncated) throw error;
    onTruncated();
  }
  yield decoder.decode();
}
