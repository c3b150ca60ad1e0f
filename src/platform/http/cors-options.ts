import { type CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';

const preflightMaxAgeS = 600;

/** Lets pages of exactly these origins call the API, with cookies too; no origin is ever matched by a pattern. */
export function corsOptions(origins: readonly string[]): CorsOptions {
  return {
    origin: [...origins],
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'Last-Event-ID'],
      ...['X-Content-SHA256', 'X-Request-Id'],
    ],
    exposedHeaders: [
      ...['ETag', 'Idempotency-Replayed', 'Location', 'Retry-After', 'X-Request-Id'],
      ...['RateLimit-Limit', 'RateLimit-Policy', 'RateLimit-Remaining', 'RateLimit-Reset'],
    ],
    maxAge: preflightMaxAgeS,
  };
}
