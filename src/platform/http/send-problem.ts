import { type Request, type Response } from 'express';
import { type ProblemError, problemMediaType, renderProblem } from '../errors';
import { hasBody } from './has-body';
import { requestIdOf } from './request-id';

/** Answers with a problem. Does nothing but close the connection when the answer has begun already. */
export function sendProblem(request: Request, response: Response, problem: ProblemError): void {
  if (response.headersSent) {
    // Half an answer with a clean end would look like a whole one.
    if (!response.writableEnded) response.destroy();
    return;
  }
  if (problem.retryAfterS !== undefined) response.setHeader('Retry-After', String(problem.retryAfterS));
  if (problem.status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="stallscope"');
  // A body that was not read would be taken for the next request on this connection.
  if (hasBody(request) && !request.complete) response.setHeader('Connection', 'close');
  response.locals.problemCode = problem.code;
  response.setHeader('Cache-Control', 'no-store');
  response
    .status(problem.status)
    .type(problemMediaType)
    .send(JSON.stringify(renderProblem(problem, requestIdOf(request))));
}
