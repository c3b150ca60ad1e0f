import { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { ProblemError } from '../errors';
import { hasBody } from './has-body';
import { sendProblem } from './send-problem';

/** A JSON body is small: one that takes longer than this is being dribbled on purpose, or the line is dead. */
const bodyDeadlineMs = 30_000;
const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Which requests carry no JSON but a stream that their handler reads itself, by path. */
export type IsStreamed = (request: Pick<Request, 'path'>) => boolean;

/** Whether the request's body is JSON that is to be read before its handler runs. */
export function isJsonBody(request: Request, isStreamed: IsStreamed): boolean {
  return !isStreamed(request) && jsonType.test(request.header('content-type') ?? '');
}

/** Refuses bodies of another type than JSON, and cuts off bodies that do not arrive. Streams are let through. */
export function guardBody(isStreamed: IsStreamed, deadlineMs = bodyDeadlineMs): RequestHandler {
  return (request, response, next) => {
    if (isStreamed(request) || !hasBody(request)) return next();
    const type = request.header('content-type');
    if (!jsonType.test(type ?? '')) {
      const given =
        type === undefined ? 'The body has no content type' : 'The content type of the body is not JSON';
      return next(
        new ProblemError('unsupported-media-type', `${given}; this address reads application/json.`),
      );
    }
    const timer = setTimeout(() => {
      const detail = `The body did not arrive within ${deadlineMs / 1000} seconds.`;
      sendProblem(request, response, new ProblemError('request-timeout', detail));
      response.once('finish', () => request.destroy());
    }, deadlineMs);
    const disarm = () => clearTimeout(timer);
    request.once('end', disarm).once('close', disarm);
    next();
  };
}

/** Explains what the JSON reader could not read. */
export function explainBodyErrors(limitBytes: number): ErrorRequestHandler {
  return (error: unknown, _request, _response, next) => {
    next(bodyProblem(error, limitBytes) ?? error);
  };
}

function bodyProblem(error: unknown, limitBytes: number): ProblemError | undefined {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.parse.failed':
      // The parser's own message quotes the body, which may hold a password.
      return new ProblemError('malformed-json', 'The body ends early or breaks the rules of JSON.', {
        cause: error,
      });
    case 'entity.too.large':
      return new ProblemError('payload-too-large', `The body is larger than ${limitBytes} bytes.`, {
        cause: error,
      });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ProblemError('unsupported-media-type', 'The body is in an encoding that is not known.', {
        cause: error,
        action: 'Send UTF-8, uncompressed or with Content-Encoding gzip, deflate or br.',
      });
    case 'request.aborted':
    case 'request.size.invalid':
      return new ProblemError('malformed-request', 'The body is shorter than its Content-Length.', {
        cause: error,
      });
    default:
      return undefined;
  }
}
