import { type NestExpressApplication } from '@nestjs/platform-express';
import { type AddressInfo } from 'node:net';
import { loadConfig } from '../platform/config';
import { exitWithParent } from '../platform/config/exit-with-parent';
import { createLogger } from '../platform/telemetry';
import { createApi } from './create-api';

/** Requests that are being answered get this long to finish; then their connections are cut. */
const drainTimeoutMs = 15_000;

/** Runs the API until SIGTERM, SIGINT or the end of the process that started it. */
export async function serve(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.log);
  const app = await createApi(config, logger);
  const stop = stopOnce(app);
  try {
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
  logger.info({ url: addressOf(app, config.http.host) }, 'listening');
}

/** Stops accepting, waits for what is being answered, closes every connection. Later calls wait for the first. */
function stopOnce(app: NestExpressApplication): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= drain(app);
    return stopping;
  };
}

async function drain(app: NestExpressApplication): Promise<void> {
  const server = app.getHttpServer();
  const cut = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

function addressOf(app: NestExpressApplication, host: string): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
