import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type Actor } from '../../platform/audit';
import { type AuthenticatedRequest } from './access.decorators';
import { type Principal } from './principal';

/** Who acts, for the audit log: the principal of the request, or nobody known, and where the request came from. */
export function actorOf(request: Request & { id?: unknown }, principal: Principal | undefined): Actor {
  const from = {
    requestId: typeof request.id === 'string' ? request.id : null,
    address: request.ip ?? null,
  };
  if (!principal) return { kind: 'anonymous', id: null, name: null, ...from };
  const { kind, id, name, serviceAccountId } = principal;
  if (serviceAccountId !== undefined) return { kind: 'serviceAccount', id: serviceAccountId, name, ...from };
  return { kind, id, name, ...from };
}

/** Who acts, for `recordAudit`. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return actorOf(request, request.principal);
});
