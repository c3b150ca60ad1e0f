import { type Request } from 'express';

/** Whether the request says that it carries a body. */
export function hasBody(request: Request): boolean {
  return (
    request.header('transfer-encoding') !== undefined || Number(request.header('content-length') ?? 0) > 0
  );
}
