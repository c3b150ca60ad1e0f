import { setTimeout as sleep } from 'node:timers/promises';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type AddressInfo } from 'node:net';
import { type ApiConfig, loadConfig } from '../platform/config';
import { exitWithParent } from '../platform/config/exit-with-parent';
import {
  createLogger,
  type Metrics,
  type ProcessServer,
  serveProcess,
  startTracing,
} from '../platform/telemetry';

/** Requests that are being answered get this long to finish; then their connections are cut. */
const drainTimeoutMs = 15_000;
/** Connections that fall idle while the rest drains are closed this often. */
const closeIdleEveryMs = 200;

/** Runs the API until SIGTERM, SIGINT or the end of the process that started it. */
export async function serve(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.log);
  const tracing = await startTracing(config.tracing, 'api', logger);
  // Not before: tracing wraps what this loads.
  const { createApi, servicesOf } = await import('./create-api');
  const app = await createApi(config, logger);
  const { metrics, probes } = servicesOf(app);
  let metricsServer: ProcessServer | undefined;
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      probes.announceStop();
      await drain(app, config.api.shutdownDelayS);
      await metricsServer?.close();
      await tracing.stop();
    })());
  try {
    metricsServer = await serveMetrics(config, metrics);
    await app.listen(config.http.port, config.http.host);
  } catch (error) {
    await stop();
    throw error;
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'stopping');
      void stop().then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'The API did not stop cleanly.');
          process.exit(1);
        },
      );
    });
  }
  exitWithParent(stop);
  logger.info({ url: addressOf(app, config.http.host), metricsPort: metricsServer?.port }, 'listening');
}

async function serveMetrics({ api, http }: ApiConfig, metrics: Metrics): Promise<ProcessServer | undefined> {
  return api.metricsPort === undefined
    ? undefined
    : serveProcess(metrics, { host: http.host, port: api.metricsPort });
}

/**
 * Goes on for `delayS` while readiness says no, then takes no new connections, waits for what is being answered, and
 * closes every connection.
 */
async function drain(app: NestExpressApplication, delayS: number): Promise<void> {
  const server = app.getHttpServer();
  server.prependListener('request', (_request, response) => void response.setHeader('connection', 'close'));
  if (server.listening) await sleep(delayS * 1000);
  const cut = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  const closeIdle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
    clearInterval(closeIdle);
  }
}

function addressOf(app: NestExpressApplication, host: string): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
