import { type Request, type RequestHandler, type Response } from 'express';
import { type Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { routeOf } from './route-of';

/** What the access guard leaves on a request. */
interface WithPrincipal {
  principal?: { teamId: string; kind: string };
}

// Asked every few seconds by the orchestrator and the metrics collector.
const quietPaths = /^\/(health|metrics)(\/|$)/;

/** Logs every answered request: id, team, route, status, duration in ms, and the code of the problem if there was one. */
export function accessLog(logger: Logger): RequestHandler {
  return pinoHttp<Request, Response>({
    logger,
    genReqId: (request) => request.id,
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId', responseTime: 'durationMs' },
    serializers: { req: () => undefined, res: () => undefined },
    customProps: (request: Request & WithPrincipal, response) => ({
      method: request.method,
      route: routeOf(request),
      status: response.statusCode,
      teamId: request.principal?.teamId,
      principal: request.principal?.kind,
      code: response.locals.problemCode as unknown,
    }),
    customLogLevel: (request, response, error) => {
      if (error !== undefined || response.statusCode >= 500) return 'error';
      return quietPaths.test(request.path) ? 'debug' : 'info';
    },
    customSuccessMessage: () => 'request',
    // The problem filter has logged the error itself.
    customErrorMessage: () => 'request',
    customErrorObject: (_request, _response, _error, value: { err?: unknown }) => ({
      ...value,
      err: undefined,
    }),
  });
}
