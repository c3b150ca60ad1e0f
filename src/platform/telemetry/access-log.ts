import { type Request, type RequestHandler, type Response } from 'express';
import { type Level, type Logger } from 'pino';
import { quietPaths } from './quiet-paths';
import { routeOf } from './route-of';

/** What this middleware and the access guard leave on a request. */
interface Observed {
  log?: Logger;
  principal?: { teamId: string; kind: string };
}

/** The client went away before the answer was whole. */
const clientGone = 499;

/**
 * Logs every request once, when its answer is done: id, team, route, status, duration in ms, and the code of the problem
 * if there was one. Puts a logger on the request that adds its id to every line.
 */
export function accessLog(logger: Logger): RequestHandler {
  return (request: Request & Observed, response, next) => {
    const started = process.hrtime.bigint();
    const log = logger.child({ requestId: request.id });
    request.log = log;
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : clientGone;
      log[levelOf(request, status)](
        {
          method: request.method,
          route: routeOf(request),
          status,
          durationMs: Math.round(Number(process.hrtime.bigint() - started) / 1e5) / 10,
          teamId: request.principal?.teamId,
          principal: request.principal?.kind,
          code: problemCodeOf(response),
        },
        'request',
      );
    });
    next();
  };
}

function levelOf(request: Request, status: number): Level {
  if (status === 503) return 'warn';
  if (status >= 500) return 'error';
  return quietPaths.test(request.path) ? 'debug' : 'info';
}

function problemCodeOf(response: Response): unknown {
  return response.locals.problemCode;
}
