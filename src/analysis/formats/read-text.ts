import { ByteSourceErrorCode, errorCode, InputRefused } from '../timeline/input-refused';
import { type ReadContext } from './artifact-format';

/**
 * Reads a small text artifact whole. Invalid UTF-8 becomes U+FFFD and is counted; a source that ends early gives what
 * came before.
 *
 * @throws InputRefused when it is larger than `limits.maxEventBytes`, the bound of one value.
 */
export async function readSmallText(
  chunks: AsyncIterable<Uint8Array>,
  { path, problems, limits }: ReadContext,
): Promise<string> {
  const decoder = new TextDecoder('utf-8');
  let sizeBytes = 0;
  let text = '';
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.maxEventBytes) {
        throw new InputRefused(
          'too-large',
          `${path}: larger than the ${limits.maxEventBytes} bytes that a file of this kind may have.`,
        );
      }
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (errorCode(error) !== ByteSourceErrorCode.truncated) throw error;
    problems.add('truncated-file', path);
  }
  text += decoder.decode();
  if (text.includes('\ufffd')) problems.add('invalid-text', path);
  return text;
}
