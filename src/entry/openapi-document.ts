import { buildOpenApiDocument } from '../platform/http';
import { loadConfig } from '../platform/config';
import { createLogger } from '../platform/telemetry';
import { createApi } from './create-api';

/** Values that are well formed and lead nowhere: the application is created, and connects to nothing. */
const nowhere = {
  DATABASE_URL: 'postgresql://127.0.0.1/openapi',
  STALLSCOPE_QUEUE: 'postgres',
  S3_BUCKET: 'openapi',
  JWT_SECRET: 'only-to-build-the-openapi-document',
  WEBHOOK_KEY: 'only-to-build-the-openapi-document',
  LOG_LEVEL: 'fatal',
};

/** The OpenAPI document as JSON text, with keys in the order of the sources. Needs no server and no configuration. */
export async function renderOpenApiDocument(): Promise<string> {
  const config = loadConfig(nowhere);
  const app = await createApi(config, createLogger(config.log));
  return `${JSON.stringify(buildOpenApiDocument(app), null, 2)}\n`;
}
