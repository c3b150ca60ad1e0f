import { type RequestHandler } from 'express';

/** How long the client may go on sending after it was answered, so that it gets to read the answer. */
const LINGER_MS = 3_000;

/**
 * For a route with large bodies: ends the connection after an answer that was given before the body was read to its
 * end, whoever gave it (a guard, a check, the handler). Such an answer says `Connection: close`, at which Node.js closes
 * the socket at once; what still comes would reset it, and the client would see a broken pipe instead of its answer. So our
 * side is ended only, and what comes is read and dropped for a moment. Then the connection is cut, so that nobody can keep
 * us busy with a body that nobody wants.
 */
export const endUnreadRequests: RequestHandler = (request, response, next) => {
  const { socket } = request;
  response.once('prefinish', () => {
    if (!request.readableEnded) socket.destroySoon = () => void socket.end();
  });
  response.once('finish', () => {
    Reflect.deleteProperty(socket, 'destroySoon');
    if (request.readableEnded) return;
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(cut));
    request.once('end', () => socket.destroySoon());
    // An iteration that was left holds the stream back.
    request.removeAllListeners('readable').resume();
  });
  next();
};
