import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { join } from 'node:path';
import { type Logger } from 'pino';
import { ApiModule, streamedPaths } from '../api.module';
import { ReadinessProbes } from '../modules/health';
import { type ApiConfig } from '../platform/config';
import { configureHttp, ExpressServer, serveOpenApi, serveWeb } from '../platform/http';
import { packageRoot } from './package-root';
import { accessLog, createLogger, Metrics, NestLogger } from '../platform/telemetry';

/** The API as an application that is neither initialised nor listening. Nothing has been connected to. */
export async function createApi(
  config: ApiConfig,
  logger: Logger = createLogger(config.log),
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    ApiModule.forRoot(config, logger),
    new ExpressServer(),
    {
      bodyParser: false,
      bufferLogs: true,
      abortOnError: false,
    },
  );
  app.useLogger(app.get(NestLogger));
  configureHttp(app, config.http, {
    observers: [accessLog(logger), app.get(Metrics).observeRequests()],
    streamedPaths,
  });
  serveOpenApi(app);
  serveWeb(app, join(packageRoot(), 'dist', 'web'));
  return app;
}

/** What the process that serves the API asks of it beside requests. */
export function servicesOf(app: NestExpressApplication): { metrics: Metrics; probes: ReadinessProbes } {
  return { metrics: app.get(Metrics), probes: app.get(ReadinessProbes) };
}
