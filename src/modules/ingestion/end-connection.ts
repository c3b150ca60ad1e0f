import { type Request, type Response } from 'express';

/** How long the client may go on sending after it was answered, so that it gets to read the answer. */
const LINGER_MS = 1_000;

/**
 * For answers given before the body was read: without this, Node would read and drop the rest of the body, however
 * large, to keep the connection for the next request.
 */
export function endConnectionAfterAnswer(request: Request, response: Response): void {
  if (request.readableEnded) return;
  response.setHeader('Connection', 'close');
  response.once('finish', () => setTimeout(() => request.destroy(), LINGER_MS).unref());
}
