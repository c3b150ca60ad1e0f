import { type INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Request, type RequestHandler } from 'express';
import { ZodSerializerInterceptor } from 'nestjs-zod';
import { type HttpConfig } from '../config';
import { ContentTagInterceptor } from './content-tag';
import { corsOptions } from './cors-options';
import { ProblemFilter } from './problem.filter';
import { explainBodyErrors, guardBody, isJsonBody, type IsStreamed } from './request-body';
import { assignRequestId } from './request-id';
import { securityHeaders } from './security-headers';
import { setServerTimeouts } from './server-timeouts';
import { ValidationPipe } from './validation.pipe';

export interface HttpOptions {
  /** Run for every request once it has an id, before anything can refuse it: access log, metrics. */
  observers: readonly RequestHandler[];
  /** Paths whose handlers read the body as a stream, whatever its content type. */
  streamedPaths: readonly string[];
}

/**
 * Sets up everything that holds for every request. The application must have been created with `bodyParser: false`,
 * and not been initialised yet: the order of what is registered here matters.
 */
export function configureHttp(app: NestExpressApplication, config: HttpConfig, options: HttpOptions): void {
  // As the router compares paths: without regard to case and to a slash at the end.
  const streamed = options.streamedPaths.map((path) => path.toLowerCase());
  const isStreamed: IsStreamed = ({ path }) => streamed.includes(path.toLowerCase().replace(/\/+$/, ''));
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustProxyHops);

  app.use(assignRequestId);
  for (const observer of options.observers) app.use(observer);
  app.use(securityHeaders(config.publicUrl));
  if (config.corsOrigins.length > 0) app.enableCors(corsOptions(config.corsOrigins));
  app.use(guardBody(isStreamed));
  app.useBodyParser('json', {
    limit: config.requestBodyBytes,
    type: (request) => isJsonBody(request as Request, isStreamed),
  });
  app.use(explainBodyErrors(config.requestBodyBytes));

  configureNest(app);
  setServerTimeouts(app.getHttpServer());
}

function configureNest(app: INestApplication): void {
  app.useGlobalPipes(new ValidationPipe());
  app.useGlobalInterceptors(new ContentTagInterceptor(), new ZodSerializerInterceptor(app.get(Reflector)));
  app.useGlobalFilters(new ProblemFilter());
}
