import { type NextFunction, type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';

const saneRequestId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Gives every request an id: the one in `x-request-id` when it is short and harmless in logs and headers, a new one
 * otherwise. The answer carries it in the same header.
 */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const offered = request.header('x-request-id');
  request.id = offered !== undefined && saneRequestId.test(offered) ? offered : randomUUID();
  response.setHeader('x-request-id', request.id);
  next();
}

/** The id of the request as text. */
export function requestIdOf(request: { id?: unknown }): string {
  return typeof request.id === 'string' ? request.id : 'unknown';
}
