import { type Request } from 'express';

/**
 * The pattern that the request matched, such as `/v1/runs/:id`, and `unmatched` when none did. Patterns are few, so that
 * they may label metrics; addresses are not.
 */
export function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  // The framework answers what nothing matched by a pattern that matches everything.
  return typeof route?.path === 'string' && !route.path.startsWith('/{*') ? route.path : 'unmatched';
}
