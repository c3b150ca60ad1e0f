import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { type Request } from 'express';
import { scopesExtension } from '../../platform/http';
import { type Principal, type Scope } from './principal';

const requiredScopesKey = 'stallscope:required-scopes';

/** A request that the access guard has let through, or is about to. */
export type AuthenticatedRequest = Request & { principal?: Principal };

/**
 * Opens a route to credentials that have all these scopes; without any, to every valid credential. Each route has this
 * or `@Public()`; the API does not start otherwise.
 */
export function RequireScope(...scopes: Scope[]): MethodDecorator {
  return applyDecorators(
    SetMetadata(requiredScopesKey, scopes),
    ApiBearerAuth('bearer'),
    ApiExtension(scopesExtension, scopes),
  );
}

/** The scopes that the route asks for; undefined when it does not say. */
export function requiredScopesOf(handler: object): readonly Scope[] | undefined {
  return Reflect.getMetadata(requiredScopesKey, handler) as readonly Scope[] | undefined;
}

/** Who asks. Only on routes with `@RequireScope`. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (!principal) throw new Error('@CurrentPrincipal() stands on a route without @RequireScope().');
  return principal;
});

/** The call itself, for answers that outlast the check of their credential: see `AccessGuard.canActivate`. */
export const CurrentCall = createParamDecorator((_: unknown, context: ExecutionContext) => context);
