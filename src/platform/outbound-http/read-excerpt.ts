import { type IncomingMessage } from 'node:http';

const mostBytes = 16_384;
const mostCharacters = 200;
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu;

/** The beginning of a body as one printable line; no more than 16 KiB are read, and what comes after is cut off. */
export async function readExcerpt(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // The end of the iteration destroys the response, and the call's time limit does too.
  response.on('error', () => undefined);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, mostBytes - sizeBytes));
      sizeBytes += chunk.length;
      if (sizeBytes >= mostBytes) break;
    }
  } catch {
    // Cut off or out of time; the status has said what matters.
  }
  const text = Buffer.concat(chunks).toString('utf8').replace(unprintable, ' ').trim();
  return [...text].slice(0, mostCharacters).join('');
}
