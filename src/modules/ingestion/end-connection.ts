import { type RequestHandler } from 'express';

/** How long the client may go on sending after it was answered, so that it gets to read the answer. */
const LINGER_MS = 3_000;

/**
 * For a route with large bodies: ends the connection after an answer that was given before the body was read to its
 * end, whoever gave it (a guard, a check, the handler). What still comes is read and dropped for a moment: closing at
 * once would reset the connection, and the client would see a broken pipe instead of its answer. Then the connection is
 * cut, so that nobody can keep us busy with a body that nobody wants. `Connection: close` would close it at once.
 */
export const endUnreadRequests: RequestHandler = (request, response, next) => {
  response.locals.readsOn = true;
  response.once('finish', () => {
    if (request.readableEnded) return;
    const cut = setTimeout(() => request.destroy(), LINGER_MS);
    request.once('close', () => clearTimeout(cut)).once('end', () => clearTimeout(cut));
    // An iteration that was left holds the stream back.
    request.removeAllListeners('readable').resume();
  });
  next();
};
