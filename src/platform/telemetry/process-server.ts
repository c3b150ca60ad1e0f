import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Metrics } from './metrics';

/** Says what is wrong, in words for operators; nothing when all is well. */
export type Check = () => Promise<readonly string[]>;

export interface ProcessServerOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** By path, such as /health/live. */
  checks?: Readonly<Record<string, Check>>;
}

export interface ProcessServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Answers the orchestrator and the metrics collector at an address of their own, so that clients of the API reach neither:
 * GET /metrics, and 200 or 503 for each check. Throws Error when the port is taken.
 */
export async function serveProcess(
  { registry }: Metrics,
  { host, port, checks = {} }: ProcessServerOptions,
): Promise<ProcessServer> {
  let reading: Promise<string> | undefined;
  // Several collectors at once cost one reading: some metrics ask the database.
  const read = () => (reading ??= registry.metrics().finally(() => (reading = undefined)));
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? (request.url ?? '').split('?')[0] : '';
    if (path === '/metrics') {
      read().then(
        (text) => response.setHeader('content-type', registry.contentType).end(text),
        () => response.writeHead(500).end(),
      );
    } else if (Object.hasOwn(checks, path)) void answerCheck(response, checks[path]);
    else response.writeHead(404).end();
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 5_000;
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerCheck(response: ServerResponse, check: Check): Promise<void> {
  const problems = await check().catch(() => ['the check itself failed']);
  const body = problems.length === 0 ? { status: 'ok' } : { status: 'failing', problems };
  response
    .writeHead(problems.length === 0 ? 200 : 503, { 'content-type': 'application/json' })
    .end(JSON.stringify(body));
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
